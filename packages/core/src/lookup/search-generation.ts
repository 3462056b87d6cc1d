import type { Generation } from '../index/generation.js';
import { queryTerms } from '../language/tokens.js';
import type { FoundPassage } from './found-passage.js';

/** Nobody says more in one breath; what is beyond is left out so that no question can hold up a call. */
const longestQuery = 2_000;

/** The passages of one generation that have words of the query, best first. */
export function searchGeneration(
  generation: Generation,
  query: string,
  topK: number,
): FoundPassage[] {
  const terms = queryTerms(query.slice(0, longestQuery), generation.manifest.tokenizer.language);
  return generation.keywords.search(terms, topK).map(({ passage, score }) => {
    const record = generation.passages.record(passage);
    return { record, text: generation.passages.text(passage), keywordScore: score };
  });
}
