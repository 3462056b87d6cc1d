import { KnowledgeError } from '../errors.js';
import type { Generation } from '../index/generation.js';
import { type ResolvedOptions, clampDeadline, clampTopK } from '../options.js';
import { Deadline } from './deadline.js';
import type { FoundPassage } from './found-passage.js';
import type { LookupEvent } from './lookup-event.js';
import type {
  LookupOptions,
  Outcome,
  PrefetchOptions,
  UnavailableReason,
} from './lookup-result.js';
import { Prefetcher } from './prefetcher.js';
import type { QueryEmbedder } from './query-embedder.js';
import { type CacheStatus, ResultCache } from './result-cache.js';
import {
  type GenerationResult,
  type GenerationSearch,
  searchGeneration,
} from './search-generation.js';

/** Nobody says more in one breath; what is beyond is left out so that no question can hold up a call. */
const longestQuery = 2_000;

/** What a lookup runs on, at the moment it begins. */
export interface Serving {
  readonly generation: Generation | undefined;
  readonly embedder: QueryEmbedder | undefined;
}

/** Makes one form of a result of a passage that was found. */
export type Shape<Result> = (generation: Generation, found: FoundPassage, at: number) => Result;

type Asked = Pick<GenerationSearch, 'generation' | 'query' | 'deadline' | 'prefetch'> &
  Pick<LookupOptions, 'topK'>;

/** What an outcome says beside its results. */
type Ending = Partial<Pick<GenerationResult, 'degraded' | 'cached' | 'prefetched'>> &
  Partial<Pick<Outcome<unknown>, 'status' | 'reason'>>;

/** The lookups of one base: bounded, reported, and never throwing. */
export class Lookups {
  readonly #options: ResolvedOptions;
  readonly #serving: Serving;
  readonly #results: ResultCache;
  readonly #prefetcher: Prefetcher;
  /** A logger that throws must not end a call. */
  readonly #complain = (what: string): void => {
    try {
      this.#options.logger.error(`Base '${this.#options.name}': ${what}.`);
    } catch {
      // There is nobody left to tell.
    }
  };

  constructor(options: ResolvedOptions, serving: Serving) {
    this.#options = options;
    this.#serving = serving;
    this.#results = new ResultCache(options.cacheSize);
    this.#prefetcher = new Prefetcher((text, signal) => this.#ahead(text, signal));
  }

  get cache(): CacheStatus {
    return this.#results.status();
  }

  /** At most `topK` passages for the query, in the given form. Never throws. */
  async find<Result>(
    query: string,
    options: LookupOptions | null,
    shape: Shape<Result>,
  ): Promise<Outcome<Result>> {
    const began = performance.now();
    // A program without types may pass null.
    const { signal, topK, deadlineMs } = options ?? {};
    const { generation } = this.#serving;
    const release = generation?.acquire();
    const end = (results: readonly Result[], ending: Ending): Outcome<Result> =>
      this.#report(generation?.manifest.generation, results, ending, performance.now() - began);
    const unavailable = (reason: UnavailableReason) => end([], { status: 'unavailable', reason });
    try {
      if (signal?.aborted) return unavailable('aborted');
      if (!generation) return unavailable('not-started');
      const limit = clampDeadline(deadlineMs ?? this.#options.deadlineMs);
      const deadline = new Deadline(limit, signal, began);
      const searched = this.#search({ generation, query, topK, deadline, prefetch: false });
      const result = searched instanceof Promise ? await searched : searched;
      const shaped = result.found.map((passage, at) => shape(generation, passage, at));
      return end(shaped, result);
    } catch (error) {
      if (signal?.aborted) return unavailable('aborted');
      const code = error instanceof KnowledgeError ? error.code : 'unexpected';
      // An outage is one fact, which status() and onLookup tell; a line for each call would bury the log.
      if (code !== 'embedder-failed') this.#complain(`a lookup failed (${code})`);
      return unavailable('failed');
    } finally {
      release?.();
    }
  }

  /** Gets ready for a lookup of these words. Never throws. */
  prefetch(text: string, options: PrefetchOptions | null): void {
    if (this.#isInstant || !this.#serving.generation) return;
    this.#prefetcher.prefetch(heard(text), options?.session ?? '');
  }

  /** Drops what prefetches have begun. */
  close(): void {
    this.#prefetcher.close();
  }

  /** Keywords alone answer in microseconds: too little for a cache or a prefetch to save. */
  get #isInstant(): boolean {
    return this.#options.mode === 'keyword' && !this.#options.rerank;
  }

  async #ahead(query: string, signal: AbortSignal): Promise<void> {
    const { generation } = this.#serving;
    const release = generation?.acquire();
    try {
      const deadline = new Deadline(this.#options.deadlineMs, signal);
      if (generation) await this.#search({ generation, query, deadline, prefetch: true });
    } finally {
      release?.();
    }
  }

  #search(asked: Asked): GenerationResult | Promise<GenerationResult> {
    const { generation, query, topK, deadline, prefetch } = asked;
    const { embedder } = this.#serving;
    const search: GenerationSearch = {
      generation,
      query: heard(query),
      topK: clampTopK(topK ?? this.#options.topK),
      embedder,
      options: this.#options,
      deadline,
      prefetch,
      complain: this.#complain,
    };
    if (this.#isInstant) return searchGeneration(search);
    return this.#results.find(search, () => searchGeneration(search));
  }

  #report<Result>(
    generation: string | undefined,
    results: readonly Result[],
    ending: Ending,
    ms: number,
  ): Outcome<Result> {
    const { onLookup, name: base, tenant, mode } = this.#options;
    const { degraded, reason, cached = false, prefetched = false } = ending;
    const status = ending.status ?? (results.length > 0 ? 'found' : 'nothing');
    if (onLookup) {
      const count = results.length;
      this.#tell({
        base,
        tenant,
        mode,
        generation,
        status,
        count,
        degraded,
        cached,
        prefetched,
        ms,
      });
    }
    return { status, results, mode, generation, degraded, cached, prefetched, reason, ms };
  }

  #tell(event: LookupEvent): void {
    const complain = (): void => this.#complain('onLookup failed');
    try {
      Promise.resolve(this.#options.onLookup?.(event)).catch(complain);
    } catch {
      complain();
    }
  }
}

/** What a program without types may pass is no query; some signs grow many times when they are normalised. */
function heard(query: unknown): string {
  if (typeof query !== 'string') return '';
  return query.slice(0, longestQuery).normalize('NFKC').slice(0, longestQuery);
}
