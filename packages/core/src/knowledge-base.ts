import { assertCredential } from './assert-credential.js';
import type { BakeReport } from './bake-index.js';
import { withBase } from './errors.js';
import type { IndexCheck } from './index-check.js';
import { type IndexSummary, inspectGeneration } from './inspect-generation.js';
import { LiveIndex, type ServingStatus } from './live-index.js';
import { toLookupPassage, toSearchHit } from './lookup/found-passage.js';
import type {
  LookupOptions,
  LookupResult,
  PrefetchOptions,
  SearchOutcome,
} from './lookup/lookup-result.js';
import { Lookups } from './lookup/lookups.js';
import type { EmbedderStatus } from './lookup/query-embedder.js';
import type { CacheStatus } from './lookup/result-cache.js';
import type { Mode } from './mode.js';
import {
  assertBakedIndex,
  checkBakedIndex,
  indexMissing,
  optionsOfIndex,
} from './open-baked-index.js';
import { type KnowledgeBaseOptions, type ResolvedOptions, resolveOptions } from './options.js';
import type { BakeOptions } from './progress.js';
import { type LookupArguments, type LookupToolOptions, lookupTool } from './tools/lookup-tool.js';
import type { ToolSpec } from './tools/tool.js';

/** How a base is doing. */
export interface BaseStatus extends ServingStatus {
  readonly name: string;
  readonly tenant: string | undefined;
  readonly mode: Mode;
  readonly state: 'idle' | 'starting' | 'ready' | 'closed';
  readonly generation: string | undefined;
  readonly documents: number;
  readonly passages: number;
  /** Whether the generation came from a baked index, or was built in this process. */
  readonly baked: boolean;
  /** How the embedder is doing; `undefined` unless the base has one and is started. */
  readonly embedder: EmbedderStatus | undefined;
  /** Results kept for the next who asks the same. */
  readonly cache: CacheStatus;
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
  readonly #index: LiveIndex;
  readonly #lookups: Lookups;

  /** Throws `options-invalid`, naming the option and what it allows. */
  constructor(options: KnowledgeBaseOptions) {
    this.#options = resolveOptions(options);
    this.name = this.#options.name;
    this.tenant = this.#options.tenant;
    this.description = this.#options.description;
    this.#index = new LiveIndex(this.#options);
    this.#lookups = new Lookups(this.#options, this.#index);
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
      const { bakeIndex } = await import('./bake-index.js');
      return bakeIndex(this.#options, options);
    });
  }

  /** Loads the baked index, or builds one in memory where there is none. Starting twice is one start. */
  async start(): Promise<void> {
    await this.#named(() => this.#index.start());
  }

  /** Resolves once the base has started, for health checks. Never rejects; after `close()` it is a new promise. */
  get ready(): Promise<void> {
    return this.#index.ready;
  }

  /**
   * Takes a newly baked index into use: the next lookup is answered from it, those under way finish on the old
   * one. Resolves to whether another generation serves now; `false` while the base is not started. One that is
   * damaged or does not fit is refused by rejecting, and the old one keeps serving.
   */
  async reload(): Promise<boolean> {
    return this.#named(() => this.#index.reload());
  }

  /** At most `topK` passages for the query. Never throws. */
  async lookUp(query: string, options: LookupOptions = {}): Promise<LookupResult> {
    const { status, results } = await this.#lookups.find(query, options, toLookupPassage);
    return status === 'unavailable' ? { error: 'lookup unavailable' } : { results };
  }

  /** The lookup with all that is known of it, for command lines, evaluations and screens. Never throws. */
  async search(query: string, options: LookupOptions = {}): Promise<SearchOutcome> {
    return this.#lookups.find(query, options, toSearchHit);
  }

  /**
   * Gets ready for a lookup of the words a caller is saying, without being asked: a lookup with the same words
   * then waits less, or not at all. For interim transcripts: call it with each. Words must stand for 150 ms, and
   * the newest of a session replace those before. Changes nothing, reports nothing, never throws.
   */
  prefetch(text: string, options: PrefetchOptions = {}): void {
    this.#lookups.prefetch(text, options);
  }

  /** A tool over `lookUp`, for any framework. A wrong name throws `options-invalid`. */
  tool(options: LookupToolOptions = {}): ToolSpec<LookupArguments, unknown, LookupResult> {
    return lookupTool(this.#options, (query, lookup) => this.lookUp(query, lookup), options);
  }

  status(): BaseStatus {
    const { generation, state, baked } = this.#index;
    const { generation: current, counts } = generation?.manifest ?? {};
    return {
      name: this.name,
      tenant: this.tenant,
      mode: this.#options.mode,
      state,
      generation: current,
      documents: counts?.documents ?? 0,
      passages: counts?.passages ?? 0,
      baked,
      ...this.#index.serving,
      embedder: this.#index.embedder?.status(),
      cache: this.#lookups.cache,
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
      const { generation } = this.#index;
      if (!generation) throw indexMissing('start the base first.');
      return inspectGeneration(generation);
    });
  }

  /** Releases the index once running lookups have ended. The base can be started again. */
  async close(): Promise<void> {
    this.#lookups.close();
    await this.#index.close();
  }

  async #named<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw withBase(error, this.name);
    }
  }
}
