import type { EmbedKind } from '../../src/embedder.js';
import { HashEmbedder, type HashEmbedderOptions } from './hash-embedder.js';

/** Runs before a call is answered; `call` counts from 1. */
export type BeforeCall = (call: number, signal: AbortSignal | undefined) => unknown;

/** A hash embedder that remembers what it was given and may fail or wait first. */
export class WatchedEmbedder extends HashEmbedder {
  readonly texts: string[] = [];
  calls = 0;
  readonly #before: BeforeCall;

  constructor(before: BeforeCall = () => undefined, options: HashEmbedderOptions = {}) {
    super(options);
    this.#before = before;
  }

  override async embed(
    texts: readonly string[],
    options: { readonly kind: EmbedKind; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    this.calls++;
    await this.#before(this.calls, options.signal);
    this.texts.push(...texts);
    return super.embed(texts, options);
  }
}
