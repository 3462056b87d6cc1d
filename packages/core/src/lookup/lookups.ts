import type { Embedder } from '../embedder.js';
import { KnowledgeError } from '../errors.js';
import type { Generation } from '../index/generation.js';
import { type ResolvedOptions, clampDeadline, clampTopK } from '../options.js';
import type { FoundPassage } from './found-passage.js';
import type {
  Degraded,
  LookupOptions,
  LookupStatus,
  Outcome,
  UnavailableReason,
} from './lookup-result.js';
import { searchGeneration } from './search-generation.js';

/** What a lookup runs on, at the moment it begins. */
export interface Serving {
  readonly generation: Generation | undefined;
  readonly embedder: Embedder | undefined;
}

/** Makes one form of a result of a passage that was found. */
export type Shape<Result> = (generation: Generation, found: FoundPassage, at: number) => Result;

/** The lookups of one base: bounded, reported, and never throwing. */
export class Lookups {
  readonly #options: ResolvedOptions;
  readonly #serving: Serving;

  constructor(options: ResolvedOptions, serving: Serving) {
    this.#options = options;
    this.#serving = serving;
  }

  /** At most `topK` passages for the query, in the given form. Never throws. */
  async find<Result>(
    query: string,
    options: LookupOptions | null,
    shape: Shape<Result>,
  ): Promise<Outcome<Result>> {
    const began = performance.now();
    const { mode, deadlineMs } = this.#options;
    // A program without types may pass null.
    const { signal, topK, deadlineMs: within = deadlineMs } = options ?? {};
    const { generation, embedder } = this.#serving;
    const release = generation?.acquire();
    const end = (
      status: LookupStatus,
      results: readonly Result[],
      degraded?: Degraded,
      reason?: UnavailableReason,
    ): Outcome<Result> => {
      const ms = performance.now() - began;
      const from = generation?.manifest.generation;
      return this.#report({ status, results, mode, generation: from, degraded, reason, ms });
    };
    const unavailable = (reason: UnavailableReason) => end('unavailable', [], undefined, reason);
    try {
      if (signal?.aborted) return unavailable('aborted');
      if (!generation) return unavailable('not-started');
      const searched = searchGeneration({
        generation,
        query: typeof query === 'string' ? query : '',
        topK: clampTopK(topK ?? this.#options.topK),
        embedder,
        options: this.#options,
        deadlineMs: clampDeadline(within),
        signal,
      });
      const { found, degraded } = searched instanceof Promise ? await searched : searched;
      const results = found.map((passage, at) => shape(generation, passage, at));
      return end(results.length > 0 ? 'found' : 'nothing', results, degraded);
    } catch (error) {
      if (signal?.aborted) return unavailable('aborted');
      const code = error instanceof KnowledgeError ? error.code : 'unexpected';
      this.#complain(`a lookup failed (${code})`);
      return unavailable('failed');
    } finally {
      release?.();
    }
  }

  #report<Result>(outcome: Outcome<Result>): Outcome<Result> {
    const { onLookup, name: base, tenant } = this.#options;
    if (!onLookup) return outcome;
    const { mode, generation, status, results, degraded, ms } = outcome;
    const complain = (): void => this.#complain('onLookup failed');
    try {
      const event = { base, tenant, mode, generation, status, degraded, ms, count: results.length };
      Promise.resolve(onLookup(event)).catch(complain);
    } catch {
      complain();
    }
    return outcome;
  }

  /** A logger that throws must not end a call. */
  #complain(what: string): void {
    try {
      this.#options.logger.error(`Base '${this.#options.name}': ${what}.`);
    } catch {
      // There is nobody left to tell.
    }
  }
}
