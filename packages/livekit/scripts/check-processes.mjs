// Job processes over an index of 100 MB: what each adds in private memory, and what a base adds to their readiness.
// `node scripts/check-processes.mjs [folder]` keeps the baked index in the folder for the next time; a bake takes minutes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { KnowledgeBase } from '@cuecard/core';
import { hashVector } from '@cuecard/testing';

import { startDispatcher } from '../test/children/dispatcher.mjs';

const processes = 3;
const passages = 12_000;
const dimensions = 4_096;
const megabyte = 1e6;
// V8's nursery grows to 16 MB with any work at all; that is not the base's.
const memoryFlags = ['--expose-gc', '--max-semi-space-size=1'];

const kept = process.argv[2];
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'cuecard-processes-')));
const indexDir = join(folder, 'index');
try {
  if (!existsSync(join(indexDir, 'manifest.json'))) await bake();
  const files = readdirSync(indexDir, { recursive: true });
  const sizes = new Map(
    files.map((file) => [file.split('/').at(-1), statSync(join(indexDir, file)).size]),
  );
  const keywords = sizes.get('keywords.bin') ?? 0;
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  console.log(
    `index ${mb(bytes)}, of it vectors ${mb(sizes.get('vectors.usearch') ?? 0)}, keywords ${mb(keywords)}`,
  );

  const without = await prewarmed({ WITHOUT_BASE: '1' });
  const withBase = await prewarmed({});
  for (const { grownBytes, startMs, startCpuMs } of withBase)
    console.log(
      `process: private memory +${mb(grownBytes)}, base started in ${startMs.toFixed(0)} ms, ${startCpuMs.toFixed(0)} ms of CPU`,
    );
  const ready = median(withBase.map(({ readyMs }) => readyMs));
  const bare = median(without.map(({ readyMs }) => readyMs));
  const after = median(withBase.map(({ sinceImportMs }) => sinceImportMs));
  console.log(
    `ready ${after.toFixed(0)} ms after the imports; ${ready.toFixed(0)} ms after the fork, without a base ${bare.toFixed(0)} ms: ratio ${(ready / bare).toFixed(2)}`,
  );
  const most = Math.max(...withBase.map(({ grownBytes }) => grownBytes));
  const limit = keywords + 10 * megabyte;
  console.log(`most private growth ${mb(most)}, limit ${mb(limit)}`);
  if (most >= limit || after >= 1_000) process.exitCode = 1;
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

async function bake() {
  const documents = join(folder, 'documents');
  mkdirSync(documents, { recursive: true });
  const each = 100;
  for (let at = 0; at < passages / each; at++) {
    const parts = Array.from({ length: each }, (_, part) => {
      const rule = at * each + part;
      return `## Rule ${rule}\n\nRule ${rule} is about room ${rule * 7}, floor ${rule % 40}: ${words(rule)}.\n`;
    });
    writeFileSync(join(documents, `rules-${at}.md`), `# Rules ${at}\n\n${parts.join('\n')}`);
  }
  const embed = async (texts) => texts.map((text) => hashVector(text, dimensions));
  const embedder = {
    id: 'hash',
    revision: '1',
    dimensions,
    maxTokens: 512,
    maxBatch: 256,
    weight: 0.5,
    embed,
  };
  await new KnowledgeBase({
    name: 'hotel',
    documents,
    indexDir,
    mode: 'hybrid',
    embed: () => embedder,
  }).bake();
}

function words(seed) {
  return Array.from({ length: 24 }, (_, at) => `word${(seed * 31 + at * at * 17) % 4_000}`).join(
    ' ',
  );
}

/** What the job processes of one worker wrote down when they were ready. */
async function prewarmed(more) {
  const report = join(folder, `report-${process.pid}.jsonl`);
  rmSync(report, { force: true });
  const dispatcher = await startDispatcher();
  const script = fileURLToPath(new URL('../test/children/worker.mjs', import.meta.url));
  const args = [
    '--url',
    dispatcher.url,
    '--api-key',
    'key',
    '--api-secret',
    'secret-of-at-least-thirty-two-characters',
  ];
  const env = {
    ...process.env,
    REPORT: report,
    INDEX_DIR: indexDir,
    DIMENSIONS: String(dimensions),
    PROCESSES: String(processes),
    ...more,
  };
  const child = spawn(process.execPath, [...memoryFlags, script, 'start', ...args], {
    env,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const events = (name) => {
    if (!existsSync(report)) return [];
    const lines = readFileSync(report, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === name);
  };
  const until = Date.now() + 120_000;
  while (events('prewarmed').length < processes && Date.now() < until) await wait(200);
  child.kill('SIGKILL');
  await exited;
  for (const { pid } of events('loaded')) stop(pid);
  await dispatcher.close();
  return events('prewarmed');
}

function stop(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with its worker.
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function mb(bytes) {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}
