/** One call of `embed`: which of its texts were begun, which are done. Settles once. */
export class EmbedCall {
  /** The vectors, in the order of the texts. */
  readonly vectors: Promise<Float32Array[]>;
  readonly #texts: readonly string[];
  readonly #done: Float32Array[];
  #begun = 0;
  #finished = 0;
  #resolve: (vectors: Float32Array[]) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(texts: readonly string[]) {
    this.#texts = [...texts];
    this.#done = Array.from(texts, () => new Float32Array());
    this.vectors = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** How many texts no worker has begun. */
  get waiting(): number {
    return this.#texts.length - this.#begun;
  }

  /** The next text to begin, with its place. */
  begin(): { readonly text: string; readonly index: number } {
    const index = this.#begun;
    this.#begun += 1;
    return { text: this.#texts[index] ?? '', index };
  }

  finish(index: number, vector: Float32Array): void {
    this.#done[index] = vector;
    this.#finished += 1;
    if (this.#finished === this.#texts.length) this.#resolve(this.#done);
  }

  /** Rejects the call and drops the texts that no worker has begun. */
  fail(reason: unknown): void {
    this.#begun = this.#texts.length;
    this.#reject(reason);
  }
}
