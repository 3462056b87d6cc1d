/** A passage and its BM25 score, above zero. */
export interface KeywordHit {
  readonly passage: number;
  readonly score: number;
}

/** The best few of many hits, in whatever order they come: highest score first, equal ones in passage order. */
export class BestHits {
  /** What a hit must reach to be among them; nearly none does, so callers look here first. */
  least = 0;
  readonly #limit: number;
  readonly #hits: KeywordHit[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(passage: number, score: number): void {
    if (!(score > 0)) return;
    const hits = this.#hits;
    let place = hits.length;
    while (place > 0 && isAhead(passage, score, hits[place - 1])) place--;
    if (place === this.#limit) return;
    hits.splice(place, 0, { passage, score });
    if (hits.length > this.#limit) hits.pop();
    if (hits.length === this.#limit) this.least = hits[this.#limit - 1]?.score ?? 0;
  }

  take(): KeywordHit[] {
    return this.#hits;
  }
}

function isAhead(passage: number, score: number, other: KeywordHit | undefined): boolean {
  if (other === undefined) return false;
  return score > other.score || (score === other.score && passage < other.passage);
}
