import { queryWords } from './query-words.js';

/** Words change while they are being recognised; only those that stood this long are looked up. */
const debounceMs = 150;

interface Prefetch {
  readonly words: string;
  readonly stop: AbortController;
  timer: NodeJS.Timeout;
}

/** Runs lookups ahead for words that a caller is still saying, one at a time for each session. */
export class Prefetcher {
  readonly #run: (text: string, signal: AbortSignal) => Promise<unknown>;
  /** What is waiting or under way; a session that has neither is not in it. */
  readonly #sessions = new Map<string, Prefetch>();

  constructor(run: (text: string, signal: AbortSignal) => Promise<unknown>) {
    this.#run = run;
  }

  /** Runs for the text soon, unless other words for the same session come first. The same words change nothing. */
  prefetch(text: string, session: string): void {
    const words = queryWords(text);
    if (this.#sessions.get(session)?.words === words) return;
    this.#drop(session);
    if (words === '') return;
    const stop = new AbortController();
    const prefetch = {
      words,
      stop,
      timer: setTimeout(() => {
        this.#run(text, stop.signal)
          .catch(() => undefined)
          .finally(() => {
            if (this.#sessions.get(session) === prefetch) this.#sessions.delete(session);
          });
      }, debounceMs).unref(),
    };
    this.#sessions.set(session, prefetch);
  }

  close(): void {
    for (const session of this.#sessions.keys()) this.#drop(session);
  }

  #drop(session: string): void {
    const prefetch = this.#sessions.get(session);
    if (!prefetch) return;
    clearTimeout(prefetch.timer);
    prefetch.stop.abort();
    this.#sessions.delete(session);
  }
}
