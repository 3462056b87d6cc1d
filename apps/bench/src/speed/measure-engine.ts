import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { EngineName } from './engine.js';
import { median } from './measuring.js';
import { runChild, type Figures } from './run-child.js';

/** What one library takes for one number of passages: medians over fresh processes. */
export interface Measurement {
  readonly engine: EngineName;
  readonly passages: number;
  readonly textBytes: number;
  readonly buildMs: number;
  readonly diskBytes: number;
  readonly importMs: number;
  /** From an imported library to the first answer. */
  readonly loadMs: number;
  /** Private memory in megabytes that loading and 300 lookups added, and all of the process. */
  readonly memoryAdded: number;
  readonly memoryTotal: number;
  /** Microseconds of a lookup. */
  readonly p50: number;
  readonly p99: number;
  /** How many processes the medians are of: building, times, memory. */
  readonly runs: readonly [builds: number, loads: number, memories: number];
}

export interface Corpus {
  readonly passages: number;
  readonly textBytes: number;
  readonly passagesFile: string;
  readonly questionsFile: string;
  /** When to give up, on the clock of `performance.now()`. */
  readonly until: number;
}

const mostRuns = 5;
/** No further process is started for the same figures after this. */
const enoughMs = { build: 3_000, load: 10_000, memory: 5_000 } as const;

/** Builds and loads the library's index in `folder`, which is emptied again. */
export async function measureEngine(
  engine: EngineName,
  corpus: Corpus,
  folder: string,
): Promise<Measurement> {
  const { passages, textBytes, passagesFile, questionsFile, until } = corpus;
  const task = { engine, passagesFile, questionsFile, folder, until };
  const builds = await repeat(enoughMs.build, async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    return runChild({ ...task, step: 'build' });
  });
  const buildMs = median(builds.map((figures) => figures('buildMs')));
  const isBuilt = Number.isFinite(buildMs);
  const loads = isBuilt
    ? await repeat(enoughMs.load, () => runChild({ ...task, step: 'load' }))
    : [];
  const memories = isBuilt
    ? await repeat(enoughMs.memory, () => runChild({ ...task, step: 'memory' }))
    : [];
  const diskBytes = isBuilt ? await sizeOf(folder) : Number.NaN;
  await rm(folder, { recursive: true, force: true });
  const middle = (name: string): number => median(loads.map((figures) => figures(name)));
  const added = memories.map((figures) => figures('memoryAfter') - figures('memoryBefore'));
  return {
    engine,
    passages,
    textBytes,
    buildMs,
    diskBytes,
    importMs: middle('importMs'),
    loadMs: middle('loadMs'),
    memoryAdded: median(added),
    memoryTotal: median(memories.map((figures) => figures('memoryAfter'))),
    p50: middle('p50Us'),
    p99: middle('p99Us'),
    runs: [builds.length, loads.length, memories.length],
  };
}

async function repeat(enough: number, run: () => Promise<Figures>): Promise<Figures[]> {
  const began = performance.now();
  const runs: Figures[] = [];
  do {
    runs.push(await run());
  } while (runs.length < mostRuns && performance.now() - began < enough);
  return runs;
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
