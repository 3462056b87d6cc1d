import { timeoutMessage } from './request-error.js';

/**
 * The waits on one HTTP stream. It ends with the caller's signal, when a wait is too long, and when it is closed: then
 * `signal` aborts, and a wait rejects at once. A signal and a race for each piece of a stream would cost more than the
 * stream.
 */
export class Connection {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #hangUp = (): void => this.#end(this.#caller?.reason);
  readonly #late = (): void => this.#end(new Error(timeoutMessage));
  #reject: ((reason: unknown) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
    caller?.addEventListener('abort', this.#hangUp);
  }

  /** For the client. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles with `work` if it takes at most `limitMs`; one wait at a time. */
  wait<Result>(limitMs: number, work: () => PromiseLike<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.signal.throwIfAborted();
      this.#reject = reject;
      this.#timer = setTimeout(this.#late, limitMs);
      work().then(resolve, reject);
    }).finally(() => clearTimeout(this.#timer));
  }

  close(): void {
    this.#caller?.removeEventListener('abort', this.#hangUp);
    this.#controller.abort();
  }

  #end(reason: unknown): void {
    this.#controller.abort(reason);
    this.#reject?.(reason);
  }
}
