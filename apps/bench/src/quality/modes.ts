import type { Mode } from '@cuecard/core';

import { formatTable } from '../table.js';
import { cuecardRetriever } from './cuecard-retriever.js';
import type { EvaluationSet } from './evaluation-set.js';
import { difference, figure, kindsOf, ofKind } from './figures.js';
import { judge, type Judgement } from './judge.js';

const head = [
  'set',
  'kind',
  'n',
  'R@3 keyword',
  'meaning',
  'hybrid',
  'MRR keyword',
  'meaning',
  'hybrid',
  'ΔR@3',
  '95 % interval',
  '',
];

/** The three modes over one set's index: rows of a table, and for how many kinds hybrid is worse than keyword. */
export async function compareModes(set: EvaluationSet): Promise<{
  readonly rows: readonly (readonly string[])[];
  readonly worse: number;
}> {
  const keyword = await judgeMode('keyword', set);
  const meaning = await judgeMode('meaning', set);
  const hybrid = await judgeMode('hybrid', set);
  const rows = kindsOf(set, true).map((kind) => {
    const [words, meanings, both] = [keyword, meaning, hybrid].map((all) => ofKind(set, kind, all));
    const modes = [words ?? [], meanings ?? [], both ?? []];
    const figures = [
      ...modes.map((judgements) => figure(judgements, 'recall3')),
      ...modes.map((judgements) => figure(judgements, 'reciprocalRank')),
    ];
    const { cells, isWorse } = difference(both ?? [], words ?? []);
    return { cells: [set.name, kind, String(words?.length), ...figures, ...cells], isWorse };
  });
  return {
    rows: rows.map(({ cells }) => cells),
    worse: rows.filter(({ isWorse }) => isWorse).length,
  };
}

export function formatModes(rows: readonly (readonly string[])[]): string {
  return formatTable(head, rows);
}

async function judgeMode(mode: Mode, set: EvaluationSet): Promise<Judgement[]> {
  const retriever = cuecardRetriever({ mode });
  try {
    return await judge(retriever, set);
  } finally {
    await retriever.close();
  }
}
