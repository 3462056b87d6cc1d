import { EmbedCall } from './embed-call.js';
import { EncoderThread } from './encoder-thread.js';

// Starting a thread takes about as long as encoding this many passages.
const TEXTS_PER_THREAD = 4;

/** The threads for one kind of text. They start as the work needs them. */
class Lane {
  /** Calls with texts that no thread has begun, first come first. */
  readonly #waiting = new Set<EmbedCall>();
  readonly #threads = new Set<EncoderThread>();
  readonly #most: () => number;

  /** `most` says how many threads there may be. */
  constructor(most: () => number) {
    this.#most = most;
  }

  add(call: EmbedCall): void {
    this.#waiting.add(call);
    this.#dispatch();
  }

  async end(): Promise<void> {
    const ending = [...this.#threads];
    this.#threads.clear();
    await Promise.all(ending.map((thread) => thread.end()));
  }

  #dispatch(): void {
    for (const call of this.#waiting) {
      while (call.waiting > 0) {
        const thread = this.#freeThread();
        if (thread === undefined) return;
        thread.run(call);
      }
      this.#waiting.delete(call);
    }
  }

  #freeThread(): EncoderThread | undefined {
    for (const thread of this.#threads) if (thread.isFree) return thread;
    let texts = this.#threads.size;
    for (const call of this.#waiting) texts += call.waiting;
    const wanted = Math.min(this.#most(), Math.ceil(texts / TEXTS_PER_THREAD));
    return this.#threads.size < wanted ? this.#startThread() : undefined;
  }

  #startThread(): EncoderThread {
    const thread = new EncoderThread(
      () => this.#dispatch(),
      () => {
        if (this.#threads.delete(thread)) this.#dispatch();
      },
    );
    this.#threads.add(thread);
    return thread;
  }
}

const leases = new Set<Lease>();
// Queries have a thread of their own, so that they never wait behind passages.
const queries = new Lane(() => 1);
const passages = new Lane(() => Math.max(...[...leases].map(({ threads }) => threads)));

/** One user of the process's threads. The threads end with the last of them. */
export class Lease {
  /** The most threads this user asks for; of several users, the greatest number counts. */
  readonly threads: number;
  readonly #calls = new Set<EmbedCall>();

  constructor(threads: number) {
    this.threads = threads;
    leases.add(this);
  }

  /** Encodes the texts, one a thread at a time. Rejects with the signal's reason. */
  async encode(
    texts: readonly string[],
    kind: 'query' | 'passage',
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    const call = new EmbedCall(texts);
    const abort = (): void => call.fail(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#calls.add(call);
    try {
      (kind === 'query' ? queries : passages).add(call);
      return await call.vectors;
    } finally {
      this.#calls.delete(call);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Rejects what is under way. Resolves when the threads have ended, if no other user needs them. */
  async close(): Promise<void> {
    leases.delete(this);
    for (const call of this.#calls) call.fail(new Error('The local embedder was closed.'));
    if (leases.size === 0) await Promise.all([queries.end(), passages.end()]);
  }
}
