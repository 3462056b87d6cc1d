import type { SearchHit } from './lookup-result.js';

/** Returns the hits it was given in a better order; it may leave some out. One that throws changes nothing. */
export type Rerank = (
  query: string,
  hits: readonly SearchHit[],
  options: { readonly signal?: AbortSignal | undefined },
) => readonly SearchHit[] | Promise<readonly SearchHit[]>;
