import type { EvaluationPassage } from './evaluation-set.js';

/** What the evaluation data asks of a retriever module. */
export interface Retriever {
  build(
    passages: readonly EvaluationPassage[],
    context: { readonly set: string; readonly lang: string },
  ): Promise<void>;
  search(
    query: string,
    limit: number,
    context: { readonly history: readonly string[] | undefined },
  ): Promise<unknown>;
}

/** A retriever module by its address. */
export async function loadRetriever(url: URL): Promise<Retriever> {
  const loaded: unknown = await import(url.href);
  if (!isRetriever(loaded))
    throw new TypeError('the module is not a retriever: it lacks build or search');
  return loaded;
}

/** Ids of the passages found, best first. */
export function idsOf(results: unknown): string[] {
  if (!Array.isArray(results)) throw new TypeError('a retriever gave no list');
  return results.map((result: unknown) => {
    const id: unknown =
      typeof result === 'object' && result !== null ? Reflect.get(result, 'id') : result;
    if (typeof id !== 'string') throw new TypeError('a retriever gave a result without an id');
    return id;
  });
}

function isRetriever(value: unknown): value is Retriever {
  if (typeof value !== 'object' || value === null) return false;
  return ['build', 'search'].every((name) => typeof Reflect.get(value, name) === 'function');
}
