import { BestHits, type KeywordHit } from './best-hits.js';
import { k1, type KeywordIndex } from './keyword-index.js';

/** A term's postings and what one more occurrence of it in the question is worth. */
interface WeightedTerm {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/**
 * BM25 over all passages that have any of the terms: Σ count·idf·(k1 + 1)·tf / (tf + norm), the best
 * `limit` first, equal scores in passage order.
 */
export class KeywordSearch {
  readonly #index: KeywordIndex;
  readonly #scores: Float64Array;
  readonly #touched: Uint32Array;

  constructor(index: KeywordIndex) {
    this.#index = index;
    this.#scores = new Float64Array(index.passages);
    this.#touched = new Uint32Array(index.passages);
  }

  /**
   * The commonest term comes last: with it a passage's score is complete and can be judged at once,
   * and most of the passages have no other of the terms.
   */
  search(terms: readonly string[], limit: number): KeywordHit[] {
    const weighted = this.#weigh(terms);
    const best = new BestHits(limit);
    const commonest = weighted.pop();
    if (!commonest) return [];
    let touched = 0;
    for (const term of weighted) touched = this.#add(term, touched);
    this.#finish(commonest, best);
    this.#collect(touched, best);
    return best.take();
  }

  /** What a passage with all of the terms, each often, would score; a term no passage has counts as well. */
  ideal(terms: readonly string[]): number {
    const { starts, passages } = this.#index;
    return terms.reduce((sum, term) => {
      const number = this.#index.find(term);
      const withTerm = number < 0 ? 0 : (starts[number + 1] ?? 0) - (starts[number] ?? 0);
      return sum + rarity(passages, withTerm) * (k1 + 1);
    }, 0);
  }

  #weigh(terms: readonly string[]): WeightedTerm[] {
    const { starts, passages } = this.#index;
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const weighted: WeightedTerm[] = [];
    for (const [term, count] of counts) {
      const number = this.#index.find(term);
      if (number < 0) continue;
      const from = starts[number] ?? 0;
      const to = starts[number + 1] ?? 0;
      weighted.push({ from, to, weight: count * rarity(passages, to - from) * (k1 + 1) });
    }
    return weighted.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  }

  #add({ from, to, weight }: WeightedTerm, touched: number): number {
    const { ids, frequencies, norms } = this.#index;
    const scores = this.#scores;
    const list = this.#touched;
    let next = touched;
    for (let at = from; at < to; at++) {
      const id = ids[at] ?? 0;
      const frequency = frequencies[at] ?? 0;
      const before = scores[id] ?? 0;
      if (before === 0) list[next++] = id;
      scores[id] = before + (weight * frequency) / (frequency + (norms[id] ?? k1));
    }
    return next;
  }

  #finish({ from, to, weight }: WeightedTerm, best: BestHits): void {
    const { ids, frequencies, norms, passages } = this.#index;
    const scores = this.#scores;
    for (let at = from; at < to; at++) {
      const id = ids[at] ?? 0;
      const frequency = frequencies[at] ?? 0;
      const before = scores[id] ?? 0;
      if (before !== 0) scores[id] = 0;
      const score = before + (weight * frequency) / (frequency + (norms[id] ?? k1));
      if (score >= best.least && id < passages) best.offer(id, score);
    }
  }

  /** Judges the passages without the commonest term, and leaves every score cleared. */
  #collect(touched: number, best: BestHits): void {
    const scores = this.#scores;
    const list = this.#touched;
    const end = Math.min(touched, list.length);
    for (let at = 0; at < end; at++) {
      const passage = list[at] ?? 0;
      const score = scores[passage] ?? 0;
      scores[passage] = 0;
      if (score >= best.least) best.offer(passage, score);
    }
  }
}

/** Inverse document frequency, ln(1 + (N − df + ½) / (df + ½)): Lucene's form, never negative. */
function rarity(passages: number, withTerm: number): number {
  return Math.log(1 + (passages - withTerm + 0.5) / (withTerm + 0.5));
}
