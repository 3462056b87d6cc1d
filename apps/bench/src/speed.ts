import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { makePassages, makeQuestions } from './speed/corpus.js';
import { engineNames, type EngineName } from './speed/engine.js';
import { measureEngine, type Corpus, type Measurement } from './speed/measure-engine.js';
import { formatMeasurements, judgeBounds } from './speed/report.js';

const sizes = [1_000, 10_000, 100_000] as const;
/** The most passages a library is measured with; beyond, it would take most of the time. */
const most: Readonly<Record<EngineName, number>> = {
  cuecard: 100_000,
  minisearch: 100_000,
  orama: 10_000,
};
const questionCount = 300;
/** What is not measured by then is left out. */
const longestMs = 420_000;
const documents = new URL('../../knowledge/', import.meta.url);
const vectorsProgram = fileURLToPath(new URL('vectors.js', import.meta.url));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      max: { type: 'string', default: String(sizes.at(-1)) },
      'keyword-only': { type: 'boolean', default: false },
    },
  });
  const chosen = sizes.filter((size) => size <= Number(values.max));
  if (chosen.length === 0)
    throw new RangeError(`--max is the most passages to measure with: ${sizes[0]} or more`);
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-bench-'));
  try {
    const measurements = await measureAll(chosen, folder);
    console.log(formatMeasurements(measurements));
    const { text, missed } = judgeBounds(measurements);
    console.log(`\n${text}`);
    const areVectorsGood = values['keyword-only'] || (await measureVectors());
    return missed === 0 && areVectorsGood ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureAll(chosen: readonly number[], folder: string): Promise<Measurement[]> {
  const passages = await makePassages(documents, Math.max(...chosen));
  const questionsFile = join(folder, 'questions.json');
  await writeFile(questionsFile, JSON.stringify(makeQuestions(passages, questionCount)));
  const measurements: Measurement[] = [];
  for (const size of chosen) {
    const texts = passages.slice(0, size);
    const passagesFile = join(folder, `passages-${size}.json`);
    const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const corpus: Corpus = {
      passages: size,
      textBytes,
      passagesFile,
      questionsFile,
      until: longestMs,
    };
    await writeFile(passagesFile, JSON.stringify(texts));
    for (const engine of engineNames.filter((name) => size <= most[name])) {
      console.error(`measuring ${engine} with ${size} passages`);
      measurements.push(await measureEngine(engine, corpus, join(folder, 'index')));
    }
  }
  return measurements;
}

/** Whether the program for vectors ended well; what it prints goes through. */
async function measureVectors(): Promise<boolean> {
  const child = spawn(process.execPath, [vectorsProgram], { stdio: 'inherit' });
  const [code]: unknown[] = await once(child, 'exit');
  return code === 0;
}

process.exitCode = await main();
