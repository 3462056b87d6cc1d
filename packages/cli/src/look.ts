import type { SearchHit, SearchOutcome } from '@cuecard/core';

import { exitCodes } from './exit-codes.js';
import { basesToRead, identity, withBases, type CommonOptions } from './load-bases.js';
import { count, perBase, type Report } from './output.js';

/** Options of `cuecard look`. */
export interface LookOptions extends CommonOptions {
  readonly topK?: number;
}

/** Looks a query up in every base of the target. */
export async function look(
  query: string,
  path: string | undefined,
  { topK, ...options }: LookOptions,
): Promise<Report> {
  const bases = await basesToRead(path, options, { toSearch: true });
  const found = await withBases(bases, async () => {
    await Promise.all(bases.map((base) => base.start()));
    return Promise.all(
      bases.map(async (base) => ({ ...identity(base), ...(await base.search(query, { topK })) })),
    );
  });
  const lines = found.flatMap((entry) =>
    found.length === 1 ? outcomeLines(entry) : [`[${entry.base}]`, ...outcomeLines(entry), ''],
  );
  return { json: perBase(found), lines, exitCode: exitCodeFor(found) };
}

function exitCodeFor(outcomes: readonly SearchOutcome[]): number {
  if (outcomes.some(({ status }) => status === 'unavailable')) return exitCodes.failed;
  return outcomes.some(({ status }) => status === 'found')
    ? exitCodes.done
    : exitCodes.nothingFound;
}

function outcomeLines({ status, results, mode, degraded, reason, ms }: SearchOutcome): string[] {
  const time = `${ms.toFixed(1)} ms`;
  if (status === 'unavailable') return [`The lookup failed (${reason}) after ${time}.`];
  const found = status === 'found' ? count(results.length, 'passage') : 'Nothing found';
  return [
    ...results.flatMap(hitLines),
    `${found} in ${time} (${mode}).`,
    ...(degraded ? [`By keywords alone, because of: ${degraded}.`] : []),
  ];
}

function hitLines({ rank, text, source, heading, score, citation }: SearchHit): string[] {
  const similarity = score === undefined ? undefined : `score ${score.toFixed(3)}`;
  const parts = [source, heading, place(citation), similarity];
  const whence = parts.filter((part) => part !== undefined);
  const lines = [...text.split('\n'), `— ${whence.join(' · ')}`];
  return [...lines.map((line, at) => (at === 0 ? `${rank}.` : '').padEnd(4) + line), ''];
}

function place({ position }: SearchHit['citation']): string | undefined {
  if (!position) return undefined;
  const { kind, start, end } = position;
  if (kind === 'time') return `${clock(start)}–${clock(end)}`;
  return start === end ? `page ${start}` : `pages ${start}–${end}`;
}

/** Milliseconds as minutes and seconds. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
