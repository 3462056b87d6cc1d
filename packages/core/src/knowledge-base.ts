import { assertCredential } from './assert-credential.js';
import { type BakeReport, bakeIndex, buildInMemory } from './bake-index.js';
import {
  assertBakedIndex,
  checkBakedIndex,
  indexMissing,
  openBakedIndex,
  optionsOfIndex,
} from './baked-index.js';
import type { Embedder } from './embedder.js';
import { makeEmbedder } from './embedding/make-embedder.js';
import { KnowledgeError, withBase } from './errors.js';
import type { IndexCheck } from './index-check.js';
import type { Generation } from './index/generation.js';
import { generationOf } from './index/open-index.js';
import { type IndexSummary, inspectGeneration } from './inspect-generation.js';
import { type FoundPassage, toLookupPassage, toSearchHit } from './lookup/found-passage.js';
import type {
  Degraded,
  LookupOptions,
  LookupResult,
  LookupStatus,
  Outcome,
  SearchOutcome,
  UnavailableReason,
} from './lookup/lookup-result.js';
import { searchGeneration } from './lookup/search-generation.js';
import type { Mode } from './mode.js';
import {
  type KnowledgeBaseOptions,
  type ResolvedOptions,
  clampDeadline,
  clampTopK,
  resolveOptions,
} from './options.js';
import type { BakeOptions } from './progress.js';
import { type LookupArguments, type LookupToolOptions, lookupTool } from './tools/lookup-tool.js';
import type { ToolSpec } from './tools/tool.js';

/** How a base is doing. */
export interface BaseStatus {
  readonly name: string;
  readonly tenant: string | undefined;
  readonly mode: Mode;
  readonly state: 'idle' | 'starting' | 'ready' | 'closed';
  readonly generation: string | undefined;
  readonly documents: number;
  readonly passages: number;
  /** Whether the generation came from a baked index, or was built in this process. */
  readonly baked: boolean;
}

/** Options of a base that its baked index already knows. */
type BakedOptions = 'name' | 'tenant' | 'indexDir' | 'chunkSize' | 'chunkOverlap' | 'language';

/**
 * A company's documents, ready to be looked up in the middle of a call. `bake()` at image build,
 * `start()` once per process before the first call, `lookUp()` or `tool()` inside it.
 */
export class KnowledgeBase {
  readonly name: string;
  readonly tenant: string | undefined;
  readonly description: string;
  readonly #options: ResolvedOptions;
  #generation: Generation | undefined;
  #embedder: Embedder | undefined;
  #baked = false;
  #closed = false;
  #starting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  /** Throws `options-invalid`, naming the option and what it allows. */
  constructor(options: KnowledgeBaseOptions) {
    this.#options = resolveOptions(options);
    this.name = this.#options.name;
    this.tenant = this.#options.tenant;
    this.description = this.#options.description;
  }

  /**
   * A base over an index that is already baked, with the name and the settings it was baked with. `mode`
   * may be another: the vectors and keywords of a hybrid index serve every mode.
   */
  static async fromIndex(
    indexDir: string | URL,
    options: Omit<KnowledgeBaseOptions, BakedOptions> = {},
  ): Promise<KnowledgeBase> {
    const baked = await optionsOfIndex(indexDir);
    return new KnowledgeBase({ ...options, ...baked, mode: options.mode ?? baked.mode });
  }

  /** Reads the documents and writes the index, all or nothing. A running base keeps its generation. */
  async bake(options: BakeOptions = {}): Promise<BakeReport> {
    return this.#named(async () => {
      assertCredential(this.#options);
      return bakeIndex(this.#options, options);
    });
  }

  /** Loads the baked index, or builds one in memory where there is none. Starting twice is one start. */
  async start(): Promise<void> {
    if (this.#closing) await this.#closing;
    if (this.#generation) return;
    this.#closed = false;
    this.#starting ??= this.#named(() => this.#load()).finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  /** At most `topK` passages for the query. Never throws. */
  async lookUp(query: string, options: LookupOptions = {}): Promise<LookupResult> {
    const { status, results } = await this.#find(query, options, toLookupPassage);
    return status === 'unavailable' ? { error: 'lookup unavailable' } : { results };
  }

  /** The lookup with all that is known of it, for command lines, evaluations and screens. Never throws. */
  async search(query: string, options: LookupOptions = {}): Promise<SearchOutcome> {
    return this.#find(query, options, toSearchHit);
  }

  /** A tool over `lookUp`, for any framework. A wrong name throws `options-invalid`. */
  tool(options: LookupToolOptions = {}): ToolSpec<LookupArguments, unknown, LookupResult> {
    return lookupTool(this.name, (query, lookup) => this.lookUp(query, lookup), options);
  }

  status(): BaseStatus {
    const counts = this.#generation?.manifest.counts;
    const idle = this.#closed ? 'closed' : 'idle';
    return {
      name: this.name,
      tenant: this.tenant,
      mode: this.#options.mode,
      state: this.#starting ? 'starting' : this.#generation ? 'ready' : idle,
      generation: this.#generation?.manifest.generation,
      documents: counts?.documents ?? 0,
      passages: counts?.passages ?? 0,
      baked: this.#generation !== undefined && this.#baked,
    };
  }

  /** Whether the baked index is intact, fits this base, and is what its documents would give now. */
  async check(): Promise<IndexCheck> {
    return this.#named(() => checkBakedIndex(this.#options));
  }

  /** Throws unless there is a baked index that fits this base. Reads the manifest only. */
  async assertBaked(): Promise<void> {
    await this.#named(() => assertBakedIndex(this.#options));
  }

  /** What the index holds; starts the base when it has not been. */
  async inspect(): Promise<IndexSummary> {
    await this.start();
    return this.#named(async () => {
      if (!this.#generation) throw indexMissing('start the base first.');
      return inspectGeneration(this.#generation);
    });
  }

  /** Releases the index once running lookups have ended. The base can be started again. */
  async close(): Promise<void> {
    this.#closing ??= this.#release().finally(() => {
      this.#closing = undefined;
    });
    await this.#closing;
  }

  async #release(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    this.#generation?.retire();
    this.#generation = undefined;
    this.#closed = true;
    await this.#embedder?.close?.();
    this.#embedder = undefined;
  }

  async #load(): Promise<void> {
    const { documents, logger } = this.#options;
    assertCredential(this.#options);
    const baked = await openBakedIndex(this.#options);
    if (!baked) {
      if (documents.length === 0) throw indexMissing('run its bake, or give it documents.');
      const advice =
        'this process reads all documents itself, and so does every other. Run bake() when the image is built.';
      logger.warn(`Base '${this.name}': no baked index; ${advice}`);
    }
    this.#baked = baked !== undefined;
    this.#embedder = makeEmbedder(this.#options);
    this.#generation = baked ?? (await this.#build());
    await this.#embedder?.warmUp?.().catch(() => {
      // Lookups can do without: keywords answer while it fails.
      logger.warn(`Base '${this.name}': the embedder could not be warmed up.`);
    });
  }

  async #build(): Promise<Generation> {
    const { manifest, files } = await buildInMemory(this.#options, {});
    return generationOf(manifest, files);
  }

  async #find<Result>(
    query: string,
    options: LookupOptions | null,
    shape: (generation: Generation, found: FoundPassage, at: number) => Result,
  ): Promise<Outcome<Result>> {
    const began = performance.now();
    const { mode, deadlineMs } = this.#options;
    // A program without types may pass null.
    const { signal, topK, deadlineMs: within = deadlineMs } = options ?? {};
    const generation = this.#generation;
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
        embedder: this.#embedder,
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
    const { onLookup } = this.#options;
    if (!onLookup) return outcome;
    const { name: base, tenant } = this;
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
      this.#options.logger.error(`Base '${this.name}': ${what}.`);
    } catch {
      // There is nobody left to tell.
    }
  }

  async #named<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw withBase(error, this.name);
    }
  }
}
