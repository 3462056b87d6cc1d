/** What stands for a value that did not come in time. */
export const late: unique symbol = Symbol('late');

/** When a lookup must have ended, and the signal that may end it before. */
export class Deadline {
  /** Milliseconds in all. */
  readonly limitMs: number;
  /** A reading of `performance.now()`. */
  readonly endsAt: number;
  readonly #signal: AbortSignal | undefined;

  /** Ends `ms` milliseconds after `from`, a reading of `performance.now()`. */
  constructor(ms: number, signal?: AbortSignal, from: number = performance.now()) {
    this.limitMs = ms;
    this.endsAt = from + ms;
    this.#signal = signal;
  }

  /** Milliseconds, 0 when it has passed. */
  get remainingMs(): number {
    return Math.max(0, this.endsAt - performance.now());
  }

  get aborted(): boolean {
    return this.#signal?.aborted ?? false;
  }

  /**
   * The value, or `late` when the deadline passes first. Rejects at once when the signal aborts. What comes
   * later is dropped; its failure too.
   */
  async wait<T>(value: Promise<T>): Promise<T | typeof late> {
    value.catch(() => undefined);
    const signal = this.#signal;
    signal?.throwIfAborted();
    let stop: (() => void) | undefined;
    const ended = new Promise<typeof late>((resolve, reject) => {
      const timer = setTimeout(resolve, this.remainingMs, late);
      const abort = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', abort);
      stop = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
    });
    try {
      return await Promise.race([value, ended]);
    } finally {
      stop?.();
    }
  }
}
