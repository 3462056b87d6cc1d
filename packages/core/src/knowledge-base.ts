import { assertReady } from './assert-ready.js';
import { type BakeReport, bakeIndex, buildInMemory } from './bake-index.js';
import {
  assertBakedIndex,
  checkBakedIndex,
  indexMissing,
  openBakedIndex,
  optionsOfIndex,
} from './baked-index.js';
import { KnowledgeError, withBase } from './errors.js';
import type { IndexCheck } from './index-check.js';
import type { Generation } from './index/generation.js';
import { generationOf } from './index/open-index.js';
import { type IndexSummary, inspectGeneration } from './inspect-generation.js';
import { type FoundPassage, toLookupPassage, toSearchHit } from './lookup/found-passage.js';
import type { LookupStatus } from './lookup/lookup-event.js';
import type {
  LookupOptions,
  LookupResult,
  Outcome,
  SearchOutcome,
  UnavailableReason,
} from './lookup/lookup-result.js';
import { searchGeneration } from './lookup/search-generation.js';
import {
  type KnowledgeBaseOptions,
  type Mode,
  type ResolvedOptions,
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
type BakedOptions =
  | 'name'
  | 'tenant'
  | 'indexDir'
  | 'mode'
  | 'chunkSize'
  | 'chunkOverlap'
  | 'language';

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
  #baked = false;
  #closed = false;
  #starting: Promise<void> | undefined;

  /** Throws `options-invalid`, naming the option and what it allows. */
  constructor(options: KnowledgeBaseOptions) {
    this.#options = resolveOptions(options);
    this.name = this.#options.name;
    this.tenant = this.#options.tenant;
    this.description = this.#options.description;
  }

  /** A base over an index that is already baked, with the name and the settings it was baked with. */
  static async fromIndex(
    indexDir: string | URL,
    options: Omit<KnowledgeBaseOptions, BakedOptions> = {},
  ): Promise<KnowledgeBase> {
    return new KnowledgeBase({ ...options, ...(await optionsOfIndex(indexDir)) });
  }

  /** Reads the documents and writes the index, all or nothing. A running base keeps its generation. */
  async bake(options: BakeOptions = {}): Promise<BakeReport> {
    return this.#named(async () => {
      assertReady(this.#options);
      return bakeIndex(this.#options, options);
    });
  }

  /** Loads the baked index, or builds one in memory where there is none. Starting twice is one start. */
  async start(): Promise<void> {
    if (this.#generation) return;
    this.#closed = false;
    this.#starting ??= this.#named(() => this.#load()).finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  /** At most `topK` passages for the query. Never throws. */
  async lookUp(query: string, options: LookupOptions = {}): Promise<LookupResult> {
    const { status, results } = this.#find(query, options, toLookupPassage);
    return status === 'unavailable' ? { error: 'lookup unavailable' } : { results };
  }

  /** The lookup with all that is known of it, for command lines, evaluations and screens. Never throws. */
  async search(query: string, options: LookupOptions = {}): Promise<SearchOutcome> {
    return this.#find(query, options, toSearchHit);
  }

  /** A tool over `lookUp`, for any framework. A wrong name throws `options-invalid`. */
  tool(options: LookupToolOptions = {}): ToolSpec<LookupArguments> {
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
    await this.#starting?.catch(() => undefined);
    this.#generation?.retire();
    this.#generation = undefined;
    this.#closed = true;
  }

  async #load(): Promise<void> {
    const { documents, logger } = this.#options;
    assertReady(this.#options);
    const baked = await openBakedIndex(this.#options);
    if (!baked) {
      if (documents.length === 0) throw indexMissing('run its bake, or give it documents.');
      const advice =
        'this process reads all documents itself, and so does every other. Run bake() when the image is built.';
      logger.warn(`Base '${this.name}': no baked index; ${advice}`);
    }
    this.#baked = baked !== undefined;
    this.#generation = baked ?? (await this.#build());
  }

  async #build(): Promise<Generation> {
    const { manifest, files } = await buildInMemory(this.#options, {});
    return generationOf(manifest, files);
  }

  #find<Result>(
    query: string,
    { signal, topK }: LookupOptions,
    shape: (generation: Generation, found: FoundPassage, at: number) => Result,
  ): Outcome<Result> {
    const began = performance.now();
    const { mode, logger } = this.#options;
    const generation = this.#generation;
    const release = generation?.acquire();
    const end = (
      status: LookupStatus,
      results: readonly Result[],
      reason?: UnavailableReason,
    ): Outcome<Result> => {
      const ms = performance.now() - began;
      const from = generation?.manifest.generation;
      return this.#report({ status, results, mode, generation: from, reason, ms });
    };
    try {
      if (signal?.aborted) return end('unavailable', [], 'aborted');
      if (!generation) return end('unavailable', [], 'not-started');
      const limit = clampTopK(topK ?? this.#options.topK);
      const found = typeof query === 'string' ? searchGeneration(generation, query, limit) : [];
      const results = found.map((passage, at) => shape(generation, passage, at));
      return end(results.length > 0 ? 'found' : 'nothing', results);
    } catch (error) {
      const code = error instanceof KnowledgeError ? error.code : 'unexpected';
      logger.error(`Base '${this.name}': a lookup failed (${code}).`);
      return end('unavailable', [], 'failed');
    } finally {
      release?.();
    }
  }

  #report<Result>(outcome: Outcome<Result>): Outcome<Result> {
    const { onLookup, logger } = this.#options;
    if (!onLookup) return outcome;
    const { name: base, tenant } = this;
    const { mode, generation, status, results, ms } = outcome;
    try {
      onLookup({ base, tenant, mode, generation, status, count: results.length, ms });
    } catch {
      logger.error(`Base '${base}': onLookup threw.`);
    }
    return outcome;
  }

  async #named<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw withBase(error, this.name);
    }
  }
}
