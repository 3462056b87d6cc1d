import type { KeywordHit } from '../index/best-hits.js';
import type { VectorHit } from '../index/vector-search.js';

/**
 * How the halves of a hybrid base become one list.
 *
 * - `weighted`: `w·cosine + (1 − w)·bm25/min(ideal, 4·best)`; `w` is the embedder's `weight`, `ideal` what a passage
 *   with every word of the question would score, `best` the highest score found. The parts are absolute, so a half
 *   that found little counts little; but the best keyword hit counts a quarter at least, because of a misheard
 *   question no passage has much, and the embedder heard no better.
 * - `interleave`: meaning first, then by turns, as the field's reference does it.
 * - `rrf`: reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) with k = 1.
 */
export type Fusion = 'weighted' | 'interleave' | 'rrf';

/** A passage found by either half, in the order that fusion gives. */
export interface FusedHit {
  readonly passage: number;
  /** BM25, where the keywords found it. */
  readonly keywordScore?: number;
  /** Cosine similarity, where the meaning search found it. */
  readonly similarity?: number;
}

/** What fusion works on. */
export interface Halves {
  /** Best first, as `meanings` are. */
  readonly keywords: readonly KeywordHit[];
  readonly meanings: readonly VectorHit[];
  /** Score of a passage that has every word of the question. */
  readonly ideal: number;
  /** Trust in the meaning half: 0–1. */
  readonly weight: number;
  /** True similarity of a passage that only the keywords found. */
  similarity(passage: number): number;
}

/** What the best keyword hit counts at least, a full match counting 1. */
const leastShare = 0.25;

/** Fuses two ranked lists; equal places go to the lower passage. */
export function fuse(rule: Fusion, halves: Halves): FusedHit[] {
  const hits = new Map<number, FusedHit>();
  for (const { passage, similarity } of halves.meanings) hits.set(passage, { passage, similarity });
  for (const { passage, score } of halves.keywords)
    hits.set(passage, { ...(hits.get(passage) ?? { passage }), keywordScore: score });
  const value = scoreBy(rule, halves);
  return [...hits.values()]
    .map((hit) => ({ hit, value: value(hit) }))
    .toSorted((a, b) => b.value - a.value || a.hit.passage - b.hit.passage)
    .map(({ hit }) => hit);
}

function scoreBy(rule: Fusion, halves: Halves): (hit: FusedHit) => number {
  if (rule === 'weighted') return weighted(halves);
  const meaning = new Map(halves.meanings.map(({ passage }, rank) => [passage, rank]));
  const keyword = new Map(halves.keywords.map(({ passage }, rank) => [passage, rank]));
  if (rule === 'rrf') return (hit) => 1 / (2 + place(meaning, hit)) + 1 / (2 + place(keyword, hit));
  return (hit) => -Math.min(2 * place(meaning, hit), 2 * place(keyword, hit) + 1);
}

function weighted(halves: Halves): (hit: FusedHit) => number {
  const { weight } = halves;
  const best = halves.keywords[0]?.score ?? 0;
  const whole = Math.min(halves.ideal, best / leastShare);
  return ({ passage, keywordScore = 0, similarity }) => {
    const matched = whole > 0 ? keywordScore / whole : 0;
    return weight * (similarity ?? halves.similarity(passage)) + (1 - weight) * matched;
  };
}

function place(ranks: ReadonlyMap<number, number>, { passage }: FusedHit): number {
  return ranks.get(passage) ?? Number.POSITIVE_INFINITY;
}
