import { decimals } from '../table.js';
import { pairedDifference } from './bootstrap.js';
import type { EvaluationSet } from './evaluation-set.js';
import type { Judgement } from './judge.js';

/** What one figure is over some questions, three decimals. */
export function figure(judgements: readonly Judgement[], name: keyof Judgement): string {
  const sum = judgements.reduce((total, judgement) => total + judgement[name], 0);
  return decimals(sum / judgements.length, 3);
}

/** The judgements of the questions of one kind, in their order. */
export function ofKind(
  set: EvaluationSet,
  kind: string,
  judgements: readonly Judgement[],
): Judgement[] {
  return judgements.filter((_, at) => set.queries[at]?.kind === kind);
}

/** Kinds of question of a set, with an answer or without. */
export function kindsOf(set: EvaluationSet, answerable: boolean): string[] {
  const kinds = [...new Set(set.queries.map(({ kind }) => kind))];
  return kinds.filter((kind) => kind.startsWith('unans-') !== answerable);
}

/** The difference in recall@3 as cells of a table, and whether it lies below zero beyond doubt. */
export function difference(
  own: readonly Judgement[],
  other: readonly Judgement[],
): { readonly cells: readonly string[]; readonly isWorse: boolean } {
  const { mean, low, high } = pairedDifference(own.map(recall3), other.map(recall3));
  const isWorse = high < 0;
  const interval = `${signed(low)} to ${signed(high)}`;
  return { cells: [signed(mean), interval, isWorse ? 'WORSE' : ''], isWorse };
}

function recall3(judgement: Judgement): number {
  return judgement.recall3;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
