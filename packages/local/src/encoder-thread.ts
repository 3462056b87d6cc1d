import { Worker } from 'node:worker_threads';

import type { EmbedCall } from './embed-call.js';

/** One worker thread with at most one text in hand. Keeps the process alive only while it has one. */
export class EncoderThread {
  readonly #worker: Worker;
  #inHand: { readonly call: EmbedCall; readonly index: number } | undefined;
  #fault: unknown;

  /** `onFree` runs when it can take another text, `onEnd` when it never will. */
  constructor(onFree: () => void, onEnd: () => void) {
    // The process's own flags (loaders, an inspector) are not for this thread.
    this.#worker = new Worker(new URL('./encoder-worker.js', import.meta.url), {
      name: 'cuecard-local',
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on('message', (buffer: ArrayBuffer) => {
      const done = this.#inHand;
      this.#inHand = undefined;
      this.#worker.unref();
      done?.call.finish(done.index, new Float32Array(buffer));
      onFree();
    });
    this.#worker.on('error', (error) => {
      this.#fault = error;
    });
    this.#worker.on('exit', () => {
      this.#inHand?.call.fail(stopped(this.#fault));
      this.#inHand = undefined;
      onEnd();
    });
  }

  get isFree(): boolean {
    return this.#inHand === undefined;
  }

  /** Takes the call's next text in hand. */
  run(call: EmbedCall): void {
    const { text, index } = call.begin();
    this.#inHand = { call, index };
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    this.#worker.postMessage(text);
  }

  async end(): Promise<void> {
    // A last message must not unref the thread again: the process would end before this promise does.
    this.#worker.removeAllListeners('message');
    await this.#worker.terminate();
  }
}

function stopped(fault: unknown): Error {
  const reason = fault instanceof Error ? `: ${fault.message}` : '.';
  return new Error(`A thread of the local encoder stopped${reason}`, { cause: fault });
}
