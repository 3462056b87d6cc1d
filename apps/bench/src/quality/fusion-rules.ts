import { formatTable } from '../table.js';
import { type CuecardSearch, cuecardRetriever } from './cuecard-retriever.js';
import type { EvaluationSet } from './evaluation-set.js';
import { difference, figure, kindsOf, ofKind } from './figures.js';
import { judge, type Judgement } from './judge.js';

interface Rule {
  readonly name: string;
  readonly how: CuecardSearch;
}

/** A hybrid lookup that does not trust its encoder at all: keywords, trimmed as fused hits are. */
const untrusting = weighted(0);
const rules: readonly Rule[] = [
  untrusting,
  { name: 'keyword', how: { mode: 'keyword' } },
  { name: 'meaning', how: { mode: 'meaning' } },
  ...[0.2, 0.33, 0.5].map(weighted),
  { name: 'interleave', how: { mode: 'hybrid', fusion: 'interleave' } },
  { name: 'rrf', how: { mode: 'hybrid', fusion: 'rrf' } },
];
const head = ['set', 'kind', 'n', 'rule', 'R@3', 'MRR', 'ΔR@3', '95 % interval', ''];

/** The table of fusion rules: each asked all questions that have an answer, its difference taken to `weighted 0`. */
export async function compareFusionRules(sets: readonly EvaluationSet[]): Promise<string> {
  const rows: (readonly string[])[] = [];
  for (const whole of sets) {
    const kinds = kindsOf(whole, true);
    const set = { ...whole, queries: whole.queries.filter(({ kind }) => kinds.includes(kind)) };
    const judged = await judgeRules(set);
    rows.push(...kinds.flatMap((kind) => rowsOf(set, kind, judged)));
  }
  return formatTable(head, rows);
}

function rowsOf(
  set: EvaluationSet,
  kind: string,
  judged: ReadonlyMap<string, readonly Judgement[]>,
): string[][] {
  const base = ofKind(set, kind, judged.get(untrusting.name) ?? []);
  return [...judged].map(([rule, all]) => {
    const own = ofKind(set, kind, all);
    const figures = [figure(own, 'recall3'), figure(own, 'reciprocalRank')];
    const cells = rule === untrusting.name ? [] : difference(own, base).cells;
    return [set.name, kind, String(own.length), rule, ...figures, ...cells];
  });
}

async function judgeRules(set: EvaluationSet): Promise<Map<string, readonly Judgement[]>> {
  const judged = new Map<string, readonly Judgement[]>();
  for (const { name, how } of rules) {
    const retriever = cuecardRetriever(how);
    try {
      judged.set(name, await judge(retriever, set));
    } finally {
      await retriever.close();
    }
  }
  return judged;
}

function weighted(weight: number): Rule {
  return { name: `weighted ${weight}`, how: { mode: 'hybrid', fusion: 'weighted', weight } };
}
