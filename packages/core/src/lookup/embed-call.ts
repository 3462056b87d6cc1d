import type { Embedder } from '../embedder.js';
import { embedChecked } from '../embedding/embed-checked.js';
import type { CallEnd } from './breaker.js';
import { type Deadline, late } from './deadline.js';

/** What one call is about, and who is told of it. */
export interface EmbedCallOptions {
  readonly query: string;
  /** When it is late, on the clock of `performance.now()`. */
  readonly lateAt: number;
  /** Milliseconds after which it is broken off. */
  readonly longestMs: number;
  /** Asked for before anybody waits. */
  readonly prefetched: boolean;
  /** Told once; what comes of a late call is not told. */
  readonly onEnd: (how: CallEnd) => void;
}

/**
 * One call to an embedder, which any number of lookups may wait for. It outlives those who stop waiting
 * because their time is up, so that its vector can be kept; it is broken off when all who wanted it have
 * been aborted, and when it takes too long.
 */
export class EmbedCall {
  /** The unit vector of the query. Rejects when the call fails or is broken off. */
  readonly vector: Promise<Float32Array>;
  readonly #options: EmbedCallOptions;
  readonly #controller = new AbortController();
  #ended = false;
  #waiting = 0;
  #wanted = 0;
  #kept = true;

  constructor(embedder: Embedder, options: EmbedCallOptions) {
    this.#options = options;
    const { lateAt, longestMs } = options;
    const timers = [
      setTimeout(() => this.#end('late'), lateAt - performance.now()),
      setTimeout(() => this.breakOff(), longestMs),
    ].map((timer) => timer.unref());
    this.vector = this.#run(embedder).finally(() => timers.forEach((timer) => clearTimeout(timer)));
    this.vector.catch(() => undefined);
  }

  /** Whether a lookup waits for it now. */
  get awaited(): boolean {
    return this.#waiting > 0;
  }

  get prefetched(): boolean {
    return this.#options.prefetched;
  }

  get brokenOff(): boolean {
    return this.#controller.signal.aborted;
  }

  /** The vector, or `late` at the deadline. Rejects when the call fails or the caller is aborted. */
  async wait(deadline: Deadline): Promise<Float32Array | typeof late> {
    this.#waiting++;
    this.#wanted++;
    try {
      const vector = await deadline.wait(this.vector);
      // Timers of one moment fire in any order; who asks next must not join.
      if (vector === late && deadline.endsAt >= this.#options.lateAt) this.#end('late');
      return vector;
    } catch (error) {
      if (deadline.aborted) this.#wanted--;
      throw error;
    } finally {
      this.#waiting--;
      if (this.#wanted === 0 || !this.#kept) this.#breakOffUnawaited();
    }
  }

  /** Ends the call with the last lookup that waits for it: nobody else will want its vector. */
  abandon(): void {
    this.#kept = false;
    this.#breakOffUnawaited();
  }

  breakOff(): void {
    this.#controller.abort();
  }

  async #run(embedder: Embedder): Promise<Float32Array> {
    const { signal } = this.#controller;
    // An embedder that does not heed the signal is not waited for.
    const brokenOff = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    try {
      const embedded = embedChecked(embedder, [this.#options.query], { kind: 'query', signal });
      const [vector] = await Promise.race([embedded, brokenOff]);
      if (!vector) throw new TypeError('no vector');
      this.#end('answered');
      return vector;
    } catch (error) {
      this.#end(signal.aborted ? 'aborted' : 'failed');
      throw error;
    }
  }

  #end(how: CallEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.onEnd(how);
  }

  #breakOffUnawaited(): void {
    if (!this.awaited) this.breakOff();
  }
}
