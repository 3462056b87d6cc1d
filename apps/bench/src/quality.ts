import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { compare, formatComparisons, type Comparison } from './quality/compare.js';
import { listSets, readSet, type EvaluationSet } from './quality/evaluation-set.js';
import { compareFusionRules } from './quality/fusion-rules.js';
import { compareModes, formatModes } from './quality/modes.js';
import { loadRetriever } from './quality/retriever.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const retriever = new URL('../retriever.mjs', import.meta.url);
const loader = new URL('../loader.mjs', import.meta.url);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      'keyword-only': { type: 'boolean', default: false },
      'fusion-only': { type: 'boolean', default: false },
    },
  });
  const folder = resolve(repository, process.env['CUECARD_EVAL'] ?? '../shared/eval');
  if (!existsSync(join(folder, 'eval.mjs'))) {
    console.log(
      `There is no evaluation data in ${folder}, so nothing was measured. CUECARD_EVAL names its folder.`,
    );
    return 0;
  }
  const sets = listSets(folder).map((name) => readSet(folder, name));
  const english = sets.filter(({ language }) => language === 'en');
  if (values['fusion-only']) return printFusionRules(english);
  const worse = await comparePassages(folder, sets);
  const worseModes = values['keyword-only'] ? 0 : await compareHybrid(english);
  console.log("\nOwn loader and splitter over the sets' files (eval.mjs --folder)");
  const foldersRead = await run(join(folder, 'eval.mjs'), fileURLToPath(retriever), '--folder');
  console.log('\nAwkward files (check-docs.mjs)');
  const filesRead = await run(join(folder, 'check-docs.mjs'), fileURLToPath(loader));
  return worse + worseModes === 0 && foldersRead && filesRead ? 0 : 1;
}

/** Prints both retrievers' figures; returns for how many kinds ours is worse. */
async function comparePassages(folder: string, sets: readonly EvaluationSet[]): Promise<number> {
  const ours = await loadRetriever(retriever);
  const reference = await loadRetriever(pathToFileURL(join(folder, 'retrievers', 'bm25-ref.mjs')));
  const comparisons: Comparison[] = [];
  for (const set of sets) {
    comparisons.push(await compare(ours, reference, set));
  }
  console.log(formatComparisons(comparisons));
  const worse = comparisons.reduce((sum, comparison) => sum + comparison.worse, 0);
  console.log(`\nWorse than textbook BM25 beyond the interval: ${worse}`);
  return worse;
}

/** Prints the modes' figures and the fusion rules'; returns for how many kinds hybrid is worse than keyword. */
async function compareHybrid(sets: readonly EvaluationSet[]): Promise<number> {
  const rows: (readonly string[])[] = [];
  let worse = 0;
  for (const set of sets) {
    const compared = await compareModes(set);
    rows.push(...compared.rows);
    worse += compared.worse;
  }
  console.log(`\nModes, with the local encoder\n${formatModes(rows)}`);
  console.log(`\nHybrid worse than keyword beyond the interval: ${worse}\n`);
  await printFusionRules(sets);
  return worse;
}

async function printFusionRules(sets: readonly EvaluationSet[]): Promise<number> {
  console.log(`Fusion rules, with the local encoder\n${await compareFusionRules(sets)}`);
  return 0;
}

/** Whether the script ended well; what it prints goes through. */
async function run(script: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' });
  const [code]: unknown[] = await once(child, 'exit');
  return code === 0;
}

process.exitCode = await main();
