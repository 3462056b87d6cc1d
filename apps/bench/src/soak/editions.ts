import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { KnowledgeBase, type Embedder, type Logger } from '@cuecard/core';

import { passagesSource } from '../speed/cuecard-engine.js';
import type { VectorSet } from '../vectors/clustered-vectors.js';

const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const longestPassage = 2048;
/** One query in so many is embedded after a while, so that it is under way when the index changes. */
const slowOne = 8;
const slowMs = 40;

/** A baked index whose passages all begin with its mark. */
export interface Edition {
  readonly mark: string;
  readonly generation: string;
  readonly folder: string;
}

/** A hybrid base over passages that are marked, or over an index that others bake. */
export function soakBase(
  indexDir: string,
  vectors: VectorSet,
  passages: readonly string[] = [],
): KnowledgeBase {
  return new KnowledgeBase({
    name: 'soak',
    mode: 'hybrid',
    language: 'en',
    chunkSize: longestPassage,
    chunkOverlap: 0,
    documents: passagesSource(passages),
    indexDir,
    embed: () => someVectors(vectors),
    logger: quiet,
  });
}

/** Bakes the passages with a mark. */
export async function bakeEdition(
  mark: string,
  passages: readonly string[],
  vectors: VectorSet,
  folder: string,
): Promise<Edition> {
  const marked = passages.map((text) => `${mark} ${text}`);
  const { generation } = await soakBase(folder, vectors, marked).bake();
  return { mark, generation, folder };
}

/** Makes an edition the current one of a folder, as a bake does: fresh files first, then the manifest by rename. */
export async function publishEdition({ folder, generation }: Edition, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await rm(join(to, generation), { recursive: true, force: true });
  await cp(join(folder, generation), join(to, generation), { recursive: true });
  const manifest = join(to, 'manifest.json');
  await writeFile(`${manifest}.next`, await readFile(join(folder, 'manifest.json')));
  await rename(`${manifest}.next`, manifest);
}

/** Hands the vectors out one after another, whatever the text. */
function someVectors({ dimensions, rows, questions }: VectorSet): Embedder {
  let next = 0;
  return {
    id: 'given',
    revision: '1',
    dimensions,
    weight: 0.4,
    maxBatch: 500,
    maxTokens: longestPassage,
    countTokens: () => 1,
    embed: async (texts, { kind }) => {
      if (kind === 'query' && next % slowOne === 0) await setTimeout(slowMs);
      const from = kind === 'query' ? questions : rows;
      return texts.map(() => from[next++ % from.length] ?? new Float32Array(dimensions));
    },
  };
}
