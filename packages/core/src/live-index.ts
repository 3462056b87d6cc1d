import { assertCredential } from './assert-credential.js';
import { buildInMemory } from './bake-index.js';
import { indexMissing, openBakedIndex } from './baked-index.js';
import type { Embedder } from './embedder.js';
import { makeEmbedder } from './embedding/make-embedder.js';
import type { Generation } from './index/generation.js';
import { generationOf } from './index/open-index.js';
import type { ResolvedOptions } from './options.js';

/** What a base serves from: the current generation and the embedder that fits it, from start to close. */
export class LiveIndex {
  readonly #options: ResolvedOptions;
  #generation: Generation | undefined;
  #embedder: Embedder | undefined;
  #baked = false;
  #closed = false;
  #starting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ResolvedOptions) {
    this.#options = options;
  }

  /** The generation that lookups run on now. */
  get generation(): Generation | undefined {
    return this.#generation;
  }

  get embedder(): Embedder | undefined {
    return this.#embedder;
  }

  /** Whether the generation came from a baked index, or was built in this process. */
  get baked(): boolean {
    return this.#generation !== undefined && this.#baked;
  }

  get state(): 'idle' | 'starting' | 'ready' | 'closed' {
    if (this.#starting) return 'starting';
    if (this.#generation) return 'ready';
    return this.#closed ? 'closed' : 'idle';
  }

  /** Loads the baked index, or builds one in memory where there is none. Starting twice is one start. */
  async start(): Promise<void> {
    if (this.#closing) await this.#closing;
    if (this.#generation) return;
    this.#closed = false;
    this.#starting ??= this.#load().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  /** Releases the index once running lookups have ended. It can be started again. */
  async close(): Promise<void> {
    this.#closing ??= this.#release().finally(() => {
      this.#closing = undefined;
    });
    await this.#closing;
  }

  async #load(): Promise<void> {
    const { documents, logger, name } = this.#options;
    assertCredential(this.#options);
    const embedder = makeEmbedder(this.#options);
    try {
      const baked = await openBakedIndex(this.#options, embedder);
      if (!baked) {
        if (documents.length === 0) throw indexMissing('run its bake, or give it documents.');
        const advice =
          'this process reads all documents itself, and so does every other. Run bake() when the image is built.';
        logger.warn(`Base '${name}': no baked index; ${advice}`);
      }
      this.#baked = baked !== undefined;
      this.#generation = baked ?? (await this.#build());
    } catch (error) {
      await embedder?.close?.();
      throw error;
    }
    this.#embedder = embedder;
    await embedder?.warmUp?.().catch(() => {
      // Lookups can do without: keywords answer while it fails.
      logger.warn(`Base '${name}': the embedder could not be warmed up.`);
    });
  }

  async #build(): Promise<Generation> {
    const { manifest, files } = await buildInMemory(this.#options, {});
    return generationOf(manifest, files);
  }

  async #release(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    this.#generation?.retire();
    this.#generation = undefined;
    this.#closed = true;
    await this.#embedder?.close?.();
    this.#embedder = undefined;
  }
}
