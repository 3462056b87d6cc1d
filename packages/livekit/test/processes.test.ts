import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { KnowledgeBase } from '@cuecard/core';
import { hashVector } from '@cuecard/testing';
import { describe, expect, it } from 'vitest';

import { flatEmbedder } from './support/bases.js';
import { tempFolder } from './support/temp-folder.js';
import { startWorker } from './support/worker.js';

const processes = 2;

/** A hybrid base of 600 passages with vectors of 1,024 numbers. */
async function bakeHotel(): Promise<{ indexDir: string; renew: () => Promise<void> }> {
  const folder = await tempFolder();
  const documents = join(folder, 'documents');
  const indexDir = join(folder, 'index');
  await mkdir(documents);
  const base = new KnowledgeBase({
    name: 'hotel',
    documents,
    indexDir,
    mode: 'hybrid',
    embed: () =>
      flatEmbedder({
        id: 'hash',
        dimensions: 1_024,
        maxBatch: 256,
        embed: async (texts) => texts.map((text) => hashVector(text, 1_024)),
      }),
  });
  const write = async (edition: string): Promise<void> => {
    const parts = Array.from(
      { length: 600 },
      (_, at) => `## Part ${at}\n\nPart ${at} of the house rules is about room ${at * 7}.\n`,
    );
    const news = `# News\n\nThe news of the house is edition ${edition}.\n`;
    await writeFile(join(documents, 'rules.md'), `# Rules\n\n${parts.join('\n')}`);
    await writeFile(join(documents, 'news.md'), news);
    await base.bake();
  };
  await write('one');
  return { indexDir, renew: () => write('two') };
}

async function sizeOf(indexDir: string, file: string): Promise<number> {
  const files = await readdir(indexDir, { recursive: true });
  const path = files.find((name) => name.endsWith(file)) ?? '';
  return (await stat(join(indexDir, path))).size;
}

describe.runIf(process.platform === 'linux')('job processes of a LiveKit worker', () => {
  it('share a base, survive one that fails, and answer from the newest bake', async () => {
    const { indexDir, renew } = await bakeHotel();
    const keywords = await sizeOf(indexDir, 'keywords.bin');
    const worker = await startWorker(processes, indexDir);
    const wait = { timeout: 90_000, interval: 100 };
    await expect.poll(() => worker.events('prewarmed').length, wait).toBe(processes);
    for (const { states, grownBytes, sinceImportMs } of worker.events('prewarmed')) {
      expect(states).toEqual(['ready', 'idle']);
      expect(grownBytes).toBeLessThan(keywords + 10e6);
      expect(sinceImportMs).toBeLessThan(10_000);
    }
    expect(worker.log()).toContain("Base 'missing' could not be started");

    await renew();
    worker.dispatch('J1');
    worker.dispatch('J2');
    await expect.poll(() => worker.events('answered').length, wait).toBe(2);
    for (const { outputs } of worker.events('answered')) {
      expect(outputs?.join('\n')).toContain('The news of the house is edition two.');
      expect(outputs).toContain('{"error":"lookup unavailable"}');
    }
    // A prewarm that throws is run again and again.
    const early = worker.events('loaded').slice(0, processes);
    expect(new Set(worker.events('answered').map(({ pid }) => pid))).toEqual(
      new Set(early.map(({ pid }) => pid)),
    );
  }, 200_000);
});
