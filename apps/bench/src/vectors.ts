import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { makePassages, makeQuestions } from './speed/corpus.js';
import { clusteredVectors } from './vectors/clustered-vectors.js';
import type { HybridCorpus } from './vectors/hybrid-corpus.js';
import { libraries, measureHybrid, type HybridMeasurement } from './vectors/hybrid-engines.js';
import { measureNearest, type NearestMeasurement } from './vectors/nearest.js';
import { keywordMegabytes, measureProcesses } from './vectors/processes.js';
import {
  formatHybrid,
  formatNearest,
  formatProcesses,
  formatSample,
  judgeVectors,
  type IndexProcesses,
} from './vectors/report.js';
import { measureSample } from './vectors/sample-lookup.js';

interface Cell {
  readonly rows: number;
  readonly dimensions: number;
}

const cells: readonly Cell[] = [
  { rows: 1_000, dimensions: 512 },
  { rows: 1_000, dimensions: 1_536 },
  { rows: 10_000, dimensions: 512 },
  { rows: 10_000, dimensions: 1_536 },
];
const largeCells: readonly Cell[] = [
  { rows: 100_000, dimensions: 512 },
  { rows: 100_000, dimensions: 1_536 },
];
/** The vectors, copies of them for two indexes, and the indexes: f32 in four places. */
const bytesAComponent = 16;
/** Whole bases, and the other libraries, are measured with vectors of this length. */
const hybridSizes = [1_000, 10_000] as const;
const hybridDimensions = 512;
const questionCount = 200;
/** No further measurement begins after this. */
const longestMs = 180_000;
const documents = new URL('../../knowledge/', import.meta.url);

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { large: { type: 'boolean', default: false } } });
  const inTime = (): boolean => values.large || performance.now() < longestMs;
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-bench-'));
  try {
    console.error('measuring the sample knowledge');
    const sample = await measureSample(documents, join(folder, 'sample'));
    console.log(`\nWhole hybrid lookup with the local encoder\n${formatSample(sample)}`);
    const { hybrid, processes } = await measureBases(folder, inTime);
    console.log(`\nHybrid lookup without an encoder, in one process\n${formatHybrid(hybrid)}`);
    console.log(`\nProcesses over one index\n${formatProcesses(processes)}`);
    const chosen = values.large ? [...cells, ...largeCells] : cells;
    const nearest = await measureCells(chosen, folder, inTime);
    console.log(`\nNearest three vectors, in one process\n${formatNearest(nearest)}`);
    const { text, missed } = judgeVectors(nearest, processes);
    console.log(`\n${text}`);
    return missed === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureCells(
  chosen: readonly Cell[],
  folder: string,
  inTime: () => boolean,
): Promise<NearestMeasurement[]> {
  const measurements: NearestMeasurement[] = [];
  for (const { rows, dimensions } of chosen) {
    if (!inTime()) break;
    if (!hasRoom({ rows, dimensions })) continue;
    console.error(`measuring ${rows} vectors of ${dimensions}`);
    measurements.push(...(await measureNearest(rows, dimensions, folder)));
  }
  return measurements;
}

function hasRoom({ rows, dimensions }: Cell): boolean {
  const needed = rows * dimensions * bytesAComponent;
  const free = process.availableMemory();
  if (needed <= free) return true;
  const [more, less] = [needed, free].map((bytes) => Math.ceil(bytes / 1024 / 1024));
  console.error(`${rows} vectors of ${dimensions} are skipped: ${more} MB needed, ${less} MB free`);
  return false;
}

/** Bases of words and vectors: beside other libraries, and in several processes. */
async function measureBases(folder: string, inTime: () => boolean) {
  const hybrid: HybridMeasurement[] = [];
  const processes: IndexProcesses[] = [];
  const passages = await makePassages(documents, Math.max(...hybridSizes));
  const questions = makeQuestions(passages, questionCount);
  const questionsFile = join(folder, 'questions.json');
  await writeFile(questionsFile, JSON.stringify(questions));
  for (const size of hybridSizes) {
    const vectors = clusteredVectors(hybridDimensions, size, questionCount);
    const corpus: HybridCorpus = { passages: passages.slice(0, size), questions, vectors };
    const index = join(folder, `index-${size}`);
    for (const library of libraries.filter(inTime)) {
      console.error(`measuring ${library.name} with ${size} passages and vectors`);
      hybrid.push(await measureHybrid(library, corpus, index));
    }
    if (!inTime()) break;
    console.error(`measuring processes over ${size} passages and vectors`);
    const measured = await measureProcesses(index, hybridDimensions, questionsFile);
    const keywords = await keywordMegabytes(index);
    processes.push({ passages: size, dimensions: hybridDimensions, keywords, measured });
  }
  return { hybrid, processes };
}

process.exitCode = await main();
// What is still open is of no interest.
process.exit();
