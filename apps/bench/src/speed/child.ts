// A process of its own for one measurement: `child.js <engine> build|load|memory <passages file> <questions file> <index folder>`.
// The figures go to standard output as one line of JSON.
import { readFile } from 'node:fs/promises';

import { connect, engineNames, loadTerms, type Ask, type Engine } from './engine.js';
import { percentile, privateMemory, timed } from './measuring.js';

const steps = ['build', 'load', 'memory'] as const;
const passes = 5;
/** No further pass over the questions begins after this. */
const enoughMs = 8_000;

const [name, stepName, passagesFile = '', questionsFile = '', folder = ''] = process.argv.slice(2);
const engineName = engineNames.find((known) => known === name);
const step = steps.find((known) => known === stepName);
if (engineName === undefined || step === undefined) throw new RangeError('no such engine or step');
// Ours loads its own tokenizer, and the time counts.
const terms =
  engineName === 'cuecard' ? { passageTerms: () => [], queryTerms: () => [] } : await loadTerms();
const imported = await timed(() => connect(engineName, terms));
const measure = { build, load, memory }[step];
const figures = await measure(imported.value);
console.log(JSON.stringify({ importMs: imported.ms, ...figures }));
// What is still open is of no interest.
process.exit();

async function build(engine: Engine) {
  const passages = await readTexts(passagesFile);
  const { ms } = await timed(() => engine.build(passages, folder));
  return { buildMs: ms };
}

async function load(engine: Engine) {
  const questions = await readTexts(questionsFile);
  const opened = await timed(async () => {
    const ask = await engine.open(folder);
    await ask(questions[0] ?? '');
    return ask;
  });
  const began = performance.now();
  const fastest = await askAll(opened.value, questions);
  for (let pass = 1; pass < passes && performance.now() - began < enoughMs; pass++) {
    const again = await askAll(opened.value, questions);
    again.forEach((ms, at) => (fastest[at] = Math.min(ms, fastest[at] ?? ms)));
  }
  const [p50, p99] = [percentile(fastest, 0.5), percentile(fastest, 0.99)];
  return { loadMs: opened.ms, p50Us: p50 * 1000, p99Us: p99 * 1000 };
}

/** Apart from the times: a forced collection throws compiled code away, and the next call pays for it. */
async function memory(engine: Engine) {
  const questions = await readTexts(questionsFile);
  const memoryBefore = await privateMemory();
  const ask = await engine.open(folder);
  await askAll(ask, questions);
  const memoryAfter = await privateMemory();
  // Used once more, or the index would have been garbage when it was measured.
  await ask(questions[0] ?? '');
  return { memoryBefore, memoryAfter };
}

/** Milliseconds of each lookup. */
async function askAll(ask: Ask, questions: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const question of questions) {
    times.push((await timed(() => ask(question))).ms);
  }
  return times;
}

async function readTexts(file: string): Promise<string[]> {
  const texts: unknown = JSON.parse(await readFile(file, 'utf8'));
  return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
}
