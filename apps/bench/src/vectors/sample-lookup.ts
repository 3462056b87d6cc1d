import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

import { KnowledgeBase, type Logger } from '@cuecard/core';
import { localEmbedder } from '@cuecard/local';

import { percentile, timed } from '../speed/measuring.js';

/** Whole hybrid lookups over the sample knowledge, the question encoded in this process. */
export interface SampleMeasurement {
  readonly passages: number;
  readonly lookups: number;
  /** Milliseconds of a lookup. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds by which a timer of one millisecond was late: 99 in 100 times at most, in lookups and with nothing to do. */
  readonly delay: number;
  readonly idleDelay: number;
}

const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const folders = ['refunds', 'luggage', 'fares', 'travel'];
const passes = 10;
const warmUps = 50;
const idleMs = 2_000;

export async function measureSample(knowledge: URL, folder: string): Promise<SampleMeasurement> {
  const base = new KnowledgeBase({
    name: 'sample',
    documents: folders.map((name) => new URL(`${name}/`, knowledge)),
    indexDir: folder,
    embed: () => localEmbedder(),
    // Each question is asked several times.
    cacheSize: 0,
    logger: quiet,
  });
  await base.bake();
  await base.start();
  const questions = await readQuestions(new URL('questions.json', knowledge));
  for (const question of questions.slice(0, warmUps)) {
    await base.lookUp(question);
  }
  const idleDelay = await delayOf(() => setTimeout(idleMs));
  const times: number[] = [];
  const delay = await delayOf(async () => {
    for (let pass = 0; pass < passes; pass++)
      for (const question of questions) {
        times.push((await timed(() => base.lookUp(question))).ms);
      }
  });
  const { passages } = base.status();
  await base.close();
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  return { passages, lookups: times.length, p50, p99, delay, idleDelay };
}

/** Milliseconds by which a timer of one millisecond was late while `run` ran, 99 in 100 times at most. */
export async function delayOf(run: () => Promise<unknown>): Promise<number> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await run();
  histogram.disable();
  return histogram.percentile(99) / 1e6 - 1;
}

async function readQuestions(file: URL): Promise<string[]> {
  const rows: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => {
    const question: unknown =
      typeof row === 'object' && row !== null ? Reflect.get(row, 'question') : undefined;
    return typeof question === 'string' ? [question] : [];
  });
}
