import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { compare, formatComparisons, type Comparison } from './quality/compare.js';
import { listSets, readSet } from './quality/evaluation-set.js';
import { loadRetriever } from './quality/retriever.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const retriever = new URL('../retriever.mjs', import.meta.url);
const loader = new URL('../loader.mjs', import.meta.url);

async function main(): Promise<number> {
  const folder = resolve(repository, process.env['CUECARD_EVAL'] ?? '../shared/eval');
  if (!existsSync(join(folder, 'eval.mjs'))) {
    console.log(
      `There is no evaluation data in ${folder}, so nothing was measured. CUECARD_EVAL names its folder.`,
    );
    return 0;
  }
  const worse = await comparePassages(folder);
  console.log("\nOwn loader and splitter over the sets' files (eval.mjs --folder)");
  const foldersRead = await run(join(folder, 'eval.mjs'), fileURLToPath(retriever), '--folder');
  console.log('\nAwkward files (check-docs.mjs)');
  const filesRead = await run(join(folder, 'check-docs.mjs'), fileURLToPath(loader));
  return worse === 0 && foldersRead && filesRead ? 0 : 1;
}

/** Prints both retrievers' figures; returns for how many kinds ours is worse. */
async function comparePassages(folder: string): Promise<number> {
  const ours = await loadRetriever(retriever);
  const reference = await loadRetriever(pathToFileURL(join(folder, 'retrievers', 'bm25-ref.mjs')));
  const comparisons: Comparison[] = [];
  for (const name of listSets(folder)) {
    // oxlint-disable-next-line no-await-in-loop -- a retriever module holds one set at a time
    comparisons.push(await compare(ours, reference, readSet(folder, name)));
  }
  console.log(formatComparisons(comparisons));
  const worse = comparisons.reduce((sum, comparison) => sum + comparison.worse, 0);
  console.log(`\nWorse than textbook BM25 beyond the interval: ${worse}`);
  return worse;
}

/** Whether the script ended well; what it prints goes through. */
async function run(script: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' });
  const [code]: unknown[] = await once(child, 'exit');
  return code === 0;
}

process.exitCode = await main();
