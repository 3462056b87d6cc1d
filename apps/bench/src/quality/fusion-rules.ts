import { formatTable } from '../table.js';
import { type CuecardSearch, cuecardRetriever } from './cuecard-retriever.js';
import type { EvaluationSet } from './evaluation-set.js';
import { difference, figure } from './figures.js';
import { judge, type Judgement } from './judge.js';

interface Rule {
  readonly name: string;
  readonly how: CuecardSearch;
}

const rules: readonly Rule[] = [
  { name: 'keyword', how: { mode: 'keyword' } },
  { name: 'meaning', how: { mode: 'meaning' } },
  ...[0.2, 0.3, 0.4, 0.5, 0.6].map((weight): Rule => {
    const how = { mode: 'hybrid', fusion: 'weighted', weight } as const;
    return { name: `weighted ${weight}`, how };
  }),
  { name: 'interleave', how: { mode: 'hybrid', fusion: 'interleave' } },
  { name: 'rrf', how: { mode: 'hybrid', fusion: 'rrf' } },
];

/** Questions that the rules are compared on. */
const compared: readonly { readonly set: string; readonly kind: string }[] = [
  { set: 'xquad-en', kind: 'clean' },
  { set: 'xquad-en', kind: 'asr-natural' },
  { set: 'doc2dial', kind: 'first' },
  { set: 'handbook-md', kind: 'spoken' },
];
const head = ['set', 'kind', 'n', 'rule', 'R@3', 'MRR', 'ΔR@3', '95 % interval', ''];

/** The table of fusion rules: each asked the same questions, its difference taken to keywords alone. */
export async function compareFusionRules(sets: readonly EvaluationSet[]): Promise<string> {
  const rows: string[][] = [];
  for (const { set: name, kind } of compared) {
    const whole = sets.find((set) => set.name === name);
    if (!whole) continue;
    const set = { ...whole, queries: whole.queries.filter((query) => query.kind === kind) };
    const judged = await judgeRules(set);
    const words = judged[0]?.judgements ?? [];
    for (const { rule, judgements } of judged) {
      const cells = rule === 'keyword' ? [] : difference(judgements, words).cells;
      const figures = [figure(judgements, 'recall3'), figure(judgements, 'reciprocalRank')];
      rows.push([name, kind, String(judgements.length), rule, ...figures, ...cells]);
    }
  }
  return formatTable(head, rows);
}

async function judgeRules(set: EvaluationSet) {
  const judged: { readonly rule: string; readonly judgements: readonly Judgement[] }[] = [];
  for (const { name, how } of rules) {
    const retriever = cuecardRetriever(how);
    try {
      judged.push({ rule: name, judgements: await judge(retriever, set) });
    } finally {
      await retriever.close();
    }
  }
  return judged;
}
