import type { KeywordHit } from '../../src/index/best-hits.js';

const k1 = 1.2;
const b = 0.75;

/** How often each term occurs. */
export function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** BM25 of every passage, straight from its definition; those above zero, best first, equal ones in passage order. */
export function exhaustiveBm25(
  passages: readonly (readonly string[])[],
  query: readonly string[],
): KeywordHit[] {
  const counts = passages.map(countTerms);
  const mean = passages.reduce((sum, terms) => sum + terms.length, 0) / passages.length;
  const idf = (term: string): number => {
    const having = counts.filter((count) => count.has(term)).length;
    return Math.log(1 + (passages.length - having + 0.5) / (having + 0.5));
  };
  const score = (passage: number): number => {
    let sum = 0;
    for (const term of query) {
      const frequency = counts[passage]?.get(term) ?? 0;
      const length = passages[passage]?.length ?? 0;
      if (frequency > 0)
        sum +=
          (idf(term) * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * length) / mean));
    }
    return sum;
  };
  return passages
    .map((_, passage) => ({ passage, score: score(passage) }))
    .filter((hit) => hit.score > 0)
    .toSorted((left, right) => right.score - left.score || left.passage - right.passage);
}
