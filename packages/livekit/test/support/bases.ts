import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Embedder, KnowledgeBase, type KnowledgeBaseOptions } from '@cuecard/core';
import { onTestFinished } from 'vitest';

import { tempFolder } from './temp-folder.js';

export const refundFact = 'A refund takes five working days.';
export const luggageFact = 'A broken suitcase is reported at the desk in hall B.';

/** A baked keyword base of one fact, not started. */
export async function bakedBase(
  name: string,
  fact: string,
  options: Omit<KnowledgeBaseOptions, 'name'> = {},
): Promise<{ base: KnowledgeBase; rewrite: (fact: string) => Promise<void> }> {
  const folder = await tempFolder();
  const documents = join(folder, 'documents');
  await mkdir(documents);
  const base = new KnowledgeBase({
    name,
    documents,
    indexDir: join(folder, 'index'),
    mode: 'keyword',
    ...options,
  });
  const rewrite = async (text: string): Promise<void> => {
    await writeFile(join(documents, `${name}.md`), `# About ${name}\n\n${text}\n`);
    await base.bake();
  };
  await rewrite(fact);
  onTestFinished(() => base.close());
  return { base, rewrite };
}

export async function startedBase(name: string, fact: string): Promise<KnowledgeBase> {
  const { base } = await bakedBase(name, fact);
  await base.start();
  return base;
}

/** An embedder in name only. */
export function flatEmbedder(more: Partial<Embedder> = {}): Embedder {
  return {
    id: 'flat',
    revision: '1',
    dimensions: 2,
    maxTokens: 512,
    maxBatch: 8,
    weight: 0.5,
    embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
    ...more,
  };
}
