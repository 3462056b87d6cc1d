import { type Deadline, late } from './deadline.js';
import type { SearchHit } from './lookup-result.js';

/**
 * Returns the hits it was given in a better order; it may leave some out. One that throws, or is not done
 * by the lookup's deadline, changes nothing. The signal aborts when its answer is no longer wanted.
 */
export type Rerank = (
  query: string,
  hits: readonly SearchHit[],
  options: { readonly signal?: AbortSignal | undefined },
) => readonly SearchHit[] | Promise<readonly SearchHit[]>;

/** The ids of the hits in their new order, or why they stay as they were. Rejects only when the deadline's signal aborts. */
export async function rerankWithin(
  deadline: Deadline,
  rerank: Rerank,
  query: string,
  hits: readonly SearchHit[],
): Promise<readonly number[] | 'failed' | 'late'> {
  const stop = new AbortController();
  try {
    const asked = Promise.resolve().then(() => rerank(query, hits, { signal: stop.signal }));
    const ordered = await deadline.wait(asked);
    return ordered === late ? 'late' : ordered.map(({ id }) => id);
  } catch (error) {
    if (deadline.aborted) throw error;
    return 'failed';
  } finally {
    stop.abort();
  }
}
