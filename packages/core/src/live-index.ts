import { join } from 'node:path';

import { assertCredential } from './assert-credential.js';
import { makeEmbedder } from './embedding/make-embedder.js';
import { KnowledgeError, type KnowledgeErrorCode } from './errors.js';
import type { Generation } from './index/generation.js';
import { manifestFile } from './index/manifest.js';
import { generationOf, readManifest } from './index/open-index.js';
import { Deadline, late } from './lookup/deadline.js';
import { QueryEmbedder } from './lookup/query-embedder.js';
import { warmUp } from './lookup/warm-up.js';
import { ManifestWatch } from './manifest-watch.js';
import { oneAtATime } from './one-at-a-time.js';
import { indexMissing, openBakedIndex, toPath } from './open-baked-index.js';
import type { ResolvedOptions } from './options.js';

/** An embedder that takes longer to get ready, or to end, is not waited for. */
const longestWaitMs = 5_000;

/** A change of state that is under way. */
interface Step {
  readonly kind: 'start' | 'close';
  readonly done: Promise<void>;
}

/** A generation in use. */
interface Current {
  readonly generation: Generation;
  readonly baked: boolean;
  readonly since: Date;
}

/** How a base came to what it serves. */
export interface ServingStatus {
  /** When the base was started; `undefined` unless it is. */
  readonly startedAt: Date | undefined;
  /** When the current generation began to serve. When it was baked is not kept: the same documents bake to the same bytes. */
  readonly loadedAt: Date | undefined;
  /** How often another generation took over since the base was made. */
  readonly reloads: number;
  /** Why the last reload was refused; `undefined` when it was not. */
  readonly reloadError: KnowledgeErrorCode | 'unexpected' | undefined;
}

/** What a base serves from: the current generation and the embedder that fits it, from start to close. */
export class LiveIndex {
  readonly #options: ResolvedOptions;
  readonly #watch: ManifestWatch | undefined;
  readonly #reload: () => Promise<void>;
  #current: Current | undefined;
  #embedder: QueryEmbedder | undefined;
  #startedAt: Date | undefined;
  #reloads = 0;
  #reloadError: ServingStatus['reloadError'];
  #closed = false;
  /** The newest start or close that has not ended. */
  #step: Step | undefined;
  #tellReady: () => void = () => undefined;
  #ready: Promise<void> = this.#newReady();

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#reload = oneAtATime(() => this.#renew());
    this.#watch = this.#newWatch();
  }

  /** The generation that lookups run on now. */
  get generation(): Generation | undefined {
    return this.#current?.generation;
  }

  get embedder(): QueryEmbedder | undefined {
    return this.#embedder;
  }

  /** Whether the generation came from a baked index, or was built in this process. */
  get baked(): boolean {
    return this.#current?.baked ?? false;
  }

  get state(): 'idle' | 'starting' | 'ready' | 'closed' {
    if (this.#step?.kind === 'start') return 'starting';
    if (this.#current) return 'ready';
    return this.#closed ? 'closed' : 'idle';
  }

  get serving(): ServingStatus {
    return {
      startedAt: this.#startedAt,
      loadedAt: this.#current?.since,
      reloads: this.#reloads,
      reloadError: this.#reloadError,
    };
  }

  /** Resolves once it has started; never rejects. After a close, it is a new one. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Loads the baked index, or builds one in memory where there is none. Starting twice is one start. */
  async start(): Promise<void> {
    await this.#take('start', async () => {
      if (!this.#current) await this.#load();
    });
  }

  /**
   * Takes the newest baked generation into use, where it is another; tells whether another serves now. One that
   * cannot be used is refused by throwing, and what was there goes on. Does nothing unless started.
   */
  async reload(): Promise<boolean> {
    if (this.#step?.kind === 'start') await this.#step.done.catch(() => undefined);
    const before = this.#current;
    if (!before) return false;
    await this.#reload();
    return this.#current !== undefined && this.#current !== before;
  }

  /** Releases the index once running lookups have ended. It can be started again. */
  async close(): Promise<void> {
    await this.#take('close', () => this.#release());
  }

  /** Starts and closes follow each other; one that asks for what is under way shares it. */
  #take(kind: Step['kind'], run: () => Promise<void>): Promise<void> {
    const before = this.#step;
    if (before?.kind === kind) return before.done;
    const inTurn = async (): Promise<void> => {
      await before?.done.catch(() => undefined);
      await run();
    };
    const done = inTurn().finally(() => {
      if (this.#step?.done === done) this.#step = undefined;
    });
    this.#step = { kind, done };
    return done;
  }

  async #load(): Promise<void> {
    const { documents } = this.#options;
    this.#closed = false;
    assertCredential(this.#options);
    const embedder = makeEmbedder(this.#options);
    try {
      const baked = await openBakedIndex(this.#options, embedder);
      if (!baked) {
        if (documents.length === 0) throw indexMissing('run its bake, or give it documents.');
        const advice =
          'this process reads all documents itself, and so does every other. Run bake() when the image is built.';
        this.#say('warn', `no baked index; ${advice}`);
      }
      const generation = baked ?? (await this.#build());
      warmUp(generation);
      this.#serve(generation, baked !== undefined);
    } catch (error) {
      await inTime(embedder?.close?.bind(embedder));
      throw error;
    }
    this.#embedder = embedder && new QueryEmbedder(embedder, this.#options);
    // Lookups can do without: keywords answer while it fails.
    if (!(await inTime(embedder?.warmUp?.bind(embedder))))
      this.#say('warn', 'the embedder could not be warmed up.');
    this.#startedAt = new Date();
    this.#watch?.start();
    this.#tellReady();
  }

  async #build(): Promise<Generation> {
    const { buildInMemory } = await import('./bake-index.js');
    const { manifest, files } = await buildInMemory(this.#options, {});
    return generationOf(manifest, files);
  }

  #serve(generation: Generation, baked: boolean): void {
    this.#current = { generation, baked, since: new Date() };
  }

  async #renew(): Promise<void> {
    try {
      await this.#replace();
      this.#reloadError = undefined;
    } catch (error) {
      this.#reloadError = error instanceof KnowledgeError ? error.code : 'unexpected';
      throw error;
    }
  }

  async #replace(): Promise<void> {
    const { indexDir } = this.#options;
    const before = this.#current;
    if (!before || indexDir === undefined) return;
    const { generation, baked } = before;
    const manifest = await readManifest(toPath(indexDir));
    if (baked && manifest?.digest === generation.manifest.digest) return;
    const opened = await openBakedIndex(this.#options, this.#embedder?.embedder);
    if (!opened) {
      if (!baked) return;
      throw indexMissing('the one that was loaded goes on. Bake it again.');
    }
    warmUp(opened);
    // It was closed, and perhaps started again, meanwhile.
    if (this.#current !== before) return opened.retire();
    this.#serve(opened, true);
    this.#reloads++;
    generation.retire();
  }

  #newWatch(): ManifestWatch | undefined {
    const { indexDir, watch } = this.#options;
    if (watch === undefined || indexDir === undefined) return undefined;
    return new ManifestWatch(join(toPath(indexDir), manifestFile), watch, {
      onChange: async () => {
        if (await this.reload())
          this.#say('info', `serves generation ${this.generation?.manifest.generation}.`);
      },
      onFailure: (error) => {
        const why = error instanceof KnowledgeError ? error.message : 'it could not be loaded.';
        this.#say('error', `the new index was refused, the old one goes on: ${why}`);
      },
    });
  }

  /** A logger that throws must not end a start, a watch or the process. */
  #say(level: 'info' | 'warn' | 'error', what: string): void {
    try {
      this.#options.logger[level](`Base '${this.#options.name}': ${what}`);
    } catch {
      // There is nobody left to tell.
    }
  }

  #newReady(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellReady = resolve;
    });
  }

  async #release(): Promise<void> {
    this.#watch?.stop();
    this.#current?.generation.retire();
    this.#current = undefined;
    this.#closed = true;
    if (this.#startedAt) this.#ready = this.#newReady();
    this.#startedAt = undefined;
    // A reload that is under way releases what it opens.
    await this.#reload().catch(() => undefined);
    const embedder = this.#embedder;
    this.#embedder = undefined;
    await inTime(embedder?.close.bind(embedder));
  }
}

/** Whether it has ended well, in time. */
async function inTime(run: (() => Promise<void>) | undefined): Promise<boolean> {
  try {
    return (await new Deadline(longestWaitMs).wait(Promise.resolve(run?.()))) !== late;
  } catch {
    return false;
  }
}
