import type { EvaluationQuery, EvaluationSet } from './evaluation-set.js';
import { idsOf, type Retriever } from './retriever.js';

/** How one question went. */
export interface Judgement {
  /** 1 when an answering passage came first, else 0. */
  readonly recall1: number;
  /** 1 when an answering passage was among the first three, else 0. */
  readonly recall3: number;
  /** 1 / rank of the first answering passage among the first ten, else 0. */
  readonly reciprocalRank: number;
  /** 1 when nothing was returned, else 0. */
  readonly nothing: number;
}

const limit = 10;

/** Asks a retriever every question of a set; the judgements stand in the questions' order. */
export async function judge(retriever: Retriever, set: EvaluationSet): Promise<Judgement[]> {
  await retriever.build(set.passages, { set: set.name, lang: set.language });
  const judgements: Judgement[] = [];
  for (const query of set.queries) {
    const results = await retriever.search(query.text, limit, { history: query.history });
    judgements.push(judgementOf(query, idsOf(results).slice(0, limit)));
  }
  return judgements;
}

function judgementOf({ relevant }: EvaluationQuery, ids: readonly string[]): Judgement {
  const place = ids.findIndex((id) => relevant.has(id));
  return {
    recall1: place === 0 ? 1 : 0,
    recall3: place >= 0 && place < 3 ? 1 : 0,
    reciprocalRank: place >= 0 ? 1 / (place + 1) : 0,
    nothing: ids.length === 0 ? 1 : 0,
  };
}
