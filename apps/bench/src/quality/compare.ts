import { formatTable } from '../table.js';
import type { EvaluationSet } from './evaluation-set.js';
import { difference, figure, kindsOf, ofKind } from './figures.js';
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
  const rowOf = (kind: string, names: readonly (keyof Judgement)[]) => {
    const [own, other] = [ofKind(set, kind, mine), ofKind(set, kind, theirs)];
    const figures = names.flatMap((name) => [figure(other, name), figure(own, name)]);
    return { own, other, row: [set.name, kind, String(own.length), ...figures] };
  };
  const answerable = kindsOf(set, true).map((kind) => {
    const { own, other, row } = rowOf(kind, ['recall1', 'recall3', 'reciprocalRank']);
    const { cells, isWorse } = difference(own, other);
    return { row: [...row, ...cells], isWorse };
  });
  return {
    answerable: answerable.map(({ row }) => row),
    unanswerable: kindsOf(set, false).map((kind) => rowOf(kind, ['nothing']).row),
    worse: answerable.filter(({ isWorse }) => isWorse).length,
  };
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
