import { timeoutMessage } from './request-error.js';

/**
 * Settles with `work`, or at once when a signal aborts, with its reason, or when `limitMs` has passed. A
 * client's own timeout ends at the headers of an answer, its waits between tries do not heed the signal, and
 * it never takes its listener off the signal: so it gets a fresh one.
 */
export async function bounded<Result>(
  limitMs: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => PromiseLike<Result>,
): Promise<Result> {
  for (const signal of signals) signal.throwIfAborted();
  const controller = new AbortController();
  const late = (): void => controller.abort(new Error(timeoutMessage));
  const timer = setTimeout(late, Math.min(limitMs, 2 ** 31 - 1));
  const follow = ({ target }: Event): void => {
    controller.abort(target instanceof AbortSignal ? target.reason : undefined);
  };
  for (const signal of signals) signal.addEventListener('abort', follow);
  try {
    return await Promise.race([work(controller.signal), rejection(controller.signal)]);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', follow);
  }
}

/** Runs over all items, at most `width` at a time. After a failure the rest is stopped. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  run: (item: Item, stop: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const stop = new AbortController();
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await run(item, stop.signal);
  };
  try {
    await Promise.all(Array.from({ length: width }, work));
  } catch (error) {
    stop.abort(error);
    throw error;
  }
  return results;
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
