import { decimals, formatTable } from '../table.js';
import { pairedDifference } from './bootstrap.js';
import type { EvaluationSet } from './evaluation-set.js';
import { judge, type Judgement } from './judge.js';
import type { Retriever } from './retriever.js';

/** The tables' rows of one set, and how many kinds of question ours answers worse beyond doubt. */
export interface Comparison {
  readonly answerable: readonly (readonly string[])[];
  readonly unanswerable: readonly (readonly string[])[];
  readonly worse: number;
}

const answerableHead = [
  'set',
  'kind',
  'n',
  'R@1 BM25',
  'R@1',
  'R@3 BM25',
  'R@3',
  'MRR BM25',
  'MRR',
  'ΔR@3',
  '95 % interval',
  '',
];
const unanswerableHead = ['set', 'kind', 'n', 'nothing BM25', 'nothing'];

/** Asks both retrievers the same questions over the same passages. */
export async function compare(
  ours: Retriever,
  reference: Retriever,
  set: EvaluationSet,
): Promise<Comparison> {
  const mine = await judge(ours, set);
  const theirs = await judge(reference, set);
  const answerable: string[][] = [];
  const unanswerable: string[][] = [];
  let worse = 0;
  for (const kind of new Set(set.queries.map((query) => query.kind))) {
    const ofKind = (_: unknown, at: number): boolean => set.queries[at]?.kind === kind;
    const [own, other] = [mine.filter(ofKind), theirs.filter(ofKind)];
    const first = [set.name, kind, String(own.length)];
    if (kind.startsWith('unans-')) {
      unanswerable.push([...first, ...pair(other, own, 'nothing')]);
      continue;
    }
    const {
      mean: difference,
      low,
      high,
    } = pairedDifference(scores(own, 'recall3'), scores(other, 'recall3'));
    const isWorse = high < 0;
    worse += isWorse ? 1 : 0;
    const interval = `${signed(low)} to ${signed(high)}`;
    const figures = [
      ...pair(other, own, 'recall1'),
      ...pair(other, own, 'recall3'),
      ...pair(other, own, 'reciprocalRank'),
    ];
    answerable.push([...first, ...figures, signed(difference), interval, isWorse ? 'WORSE' : '']);
  }
  return { answerable, unanswerable, worse };
}

export function formatComparisons(comparisons: readonly Comparison[]): string {
  const answerable = formatTable(
    answerableHead,
    comparisons.flatMap((comparison) => comparison.answerable),
  );
  const unanswerable = formatTable(
    unanswerableHead,
    comparisons.flatMap((comparison) => comparison.unanswerable),
  );
  return `Questions with an answer\n${answerable}\n\nQuestions without one\n${unanswerable}`;
}

function pair(
  reference: readonly Judgement[],
  own: readonly Judgement[],
  figure: keyof Judgement,
): [string, string] {
  return [decimals(mean(scores(reference, figure)), 3), decimals(mean(scores(own, figure)), 3)];
}

function scores(judgements: readonly Judgement[], figure: keyof Judgement): number[] {
  return judgements.map((judgement) => judgement[figure]);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
