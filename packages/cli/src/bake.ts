import type { BakeProgress, BakeReport } from '@cuecard/core';

import { exitCodes } from './exit-codes.js';
import { CommandError } from './failure.js';
import { basesToBake, identity, withBases, type BakeOptions } from './load-bases.js';
import type { Base } from './load-config.js';
import { count, perBase, size, type Report } from './output.js';
import { progressDisplay } from './progress-display.js';

/** Bakes every base of the target, one after the other; the first failure ends it. */
export async function bake(path: string | undefined, options: BakeOptions): Promise<Report> {
  const reports = await withBases(await basesToBake(path, options), (bases) =>
    untilInterrupted((signal) => bakeAll(bases, options, signal)),
  );
  const lines = options.quiet ? [] : reports.flatMap((report) => reportLines(report.base, report));
  return { json: perBase(reports), lines, exitCode: exitCodes.done };
}

async function bakeAll(
  bases: readonly Base[],
  { json, quiet, fresh }: BakeOptions,
  signal: AbortSignal,
) {
  const reports = [];
  for (const base of bases) {
    signal.throwIfAborted();
    const display = quiet ? undefined : progressDisplay(base.name, !json && process.stderr.isTTY);
    try {
      // Two bakes at once would need the memory of both.
      const onProgress = (progress: BakeProgress): void => display?.show(progress);
      const report = await base.bake({ signal, fresh, onProgress });
      reports.push({ ...identity(base), ...report });
    } finally {
      display?.stop();
    }
  }
  return reports;
}

/** The first SIGINT stops the bake cleanly, a second one the process. */
async function untilInterrupted<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once('SIGINT', interrupt);
  try {
    return await run(interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    const message = 'interrupted; the index that was being baked is as it was before.';
    throw new CommandError('interrupted', message, error);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

function reportLines(base: string, report: BakeReport): string[] {
  const { counts, embedding, bytes, language, generation, written, warnings, ignored } = report;
  const what = [
    written ? 'baked' : 'already up to date',
    count(counts.documents, 'document'),
    count(counts.passages, 'passage'),
    size(bytes),
    `language ${language}`,
    `generation ${generation.slice(0, 8)}`,
  ];
  const first = ignored.slice(0, 5).join(', ');
  return [
    `${base}: ${what.join(', ')}`,
    ...(embedding
      ? [
          `  ${count(embedding.embedded, 'passage')} embedded, ${embedding.reused.toLocaleString('en')} kept`,
        ]
      : []),
    ...(warnings.length > 0 ? [`  ${count(warnings.length, 'warning')}, logged above`] : []),
    ...(ignored.length > 0
      ? [
          `  ${count(ignored.length, 'file')} of other kinds left out: ${first}${ignored.length > 5 ? ', …' : ''}`,
        ]
      : []),
  ];
}
