import { beforeAll, describe, expect, it } from 'vitest';

import { vectorsFile } from '../../src/index/vector-file.js';
import type { Mode } from '../../src/mode.js';
import { HashEmbedder, type HashEmbedderOptions } from '../support/hash-embedder.js';
import { tempFolder } from '../support/temp-folder.js';
import { ask, bakeEdition, base, queries, readIndex, reseal, writeIndex } from './baked-index.js';
import { askVectors, bakeVectors, vectorBase } from './vector-base.js';

let withVectors: string;
let withoutVectors: string;

beforeAll(async () => {
  withVectors = await bakeVectors('one');
  withoutVectors = await bakeEdition('one');
});

describe('an index with vectors', () => {
  it.each<[string, HashEmbedderOptions]>([
    ['another, revision 1, 64 dimensions', { id: 'another' }],
    ['hash, revision 2, 64 dimensions', { revision: '2' }],
    ['hash, revision 1, 32 dimensions', { dimensions: 32 }],
  ])('is refused by a base whose embedder is %s', async (name, options) => {
    const modes: readonly Mode[] = ['meaning', 'hybrid'];
    for (const mode of modes) {
      const foreign = vectorBase({
        indexDir: withVectors,
        mode,
        embed: () => new HashEmbedder(options),
      });
      const refused = {
        code: 'index-mismatch',
        base: 'hotel',
        message: expect.stringContaining(
          `embedder (index: hash, revision 1, 64 dimensions, base: ${name})`,
        ),
      };
      await expect(foreign.start()).rejects.toMatchObject(refused);
      await expect(foreign.assertBaked()).rejects.toMatchObject(refused);
      expect(await foreign.check()).toMatchObject({ state: 'mismatch' });
    }
  });

  it.each<[string, HashEmbedderOptions]>([
    ['weight', { weight: 0.9 }],
    ['maxBatch', { maxBatch: 1 }],
  ])('fits a base whose embedder has another %s', async (_what, options) => {
    const other = vectorBase({ indexDir: withVectors, embed: () => new HashEmbedder(options) });
    await other.start();
    expect(other.status()).toMatchObject({ state: 'ready', baked: true });
    await other.close();
  });

  it('answers a keyword base as an index without vectors does', async () => {
    expect((await ask(withVectors)).answers).toEqual((await ask(withoutVectors)).answers);
  });

  it('answers by meaning and as a hybrid whichever of the two it was baked for', async () => {
    const modes: readonly Mode[] = ['meaning', 'hybrid'];
    for (const baked of modes) {
      const indexDir = await bakeVectors('one', { mode: baked });
      for (const mode of modes)
        expect(await askVectors(indexDir, queries, { mode })).toEqual(
          await askVectors(withVectors, queries, { mode }),
        );
    }
  });

  it('is refused as corrupt when its vectors are those of other documents, or are not part of it', async () => {
    const index = await readIndex(withVectors);
    const fewer = await readIndex(withoutVectors);
    const { embedder } = JSON.parse(index.manifestText);
    const short = await bakeVectors('one', { chunkSize: 200 });
    const foreign = (await readIndex(short)).files.get(vectorsFile) ?? Buffer.alloc(0);
    for (const damaged of [
      reseal(index, new Map([[vectorsFile, foreign]])),
      reseal(fewer, new Map(), {}, embedder),
    ]) {
      const indexDir = await tempFolder();
      await writeIndex(indexDir, damaged);
      await expect(vectorBase({ indexDir }).start()).rejects.toMatchObject({
        code: 'index-corrupt',
      });
      await expect(base({ indexDir }).start()).rejects.toMatchObject({ code: 'index-corrupt' });
    }
  });
});

describe('an index without vectors', () => {
  it('is refused by a base that needs them, which names the embedder', async () => {
    const modes: readonly Mode[] = ['meaning', 'hybrid'];
    for (const mode of modes)
      await expect(vectorBase({ indexDir: withoutVectors, mode }).start()).rejects.toMatchObject({
        code: 'index-mismatch',
        message: expect.stringContaining('embedder (index: none, base: hash, '),
      });
  });
});

describe('minScore', () => {
  it('drops hits by meaning and leaves those by keyword, which have no score', async () => {
    const started = vectorBase({ indexDir: withVectors, minScore: 1 });
    const plain = base({ indexDir: withoutVectors });
    await Promise.all([started.start(), plain.start()]);
    for (const query of queries) {
      const [{ results, degraded }, byKeyword] = await Promise.all([
        started.search(query, { topK: 20 }),
        plain.search(query, { topK: 20 }),
      ]);
      expect(degraded).toBeUndefined();
      expect(results.every((hit) => !('score' in hit) && 'keywordScore' in hit)).toBe(true);
      expect(results.length > 0).toBe(byKeyword.results.length > 0);
    }
    await Promise.all([started.close(), plain.close()]);
  });

  it('is where the results of a base by meaning end', async () => {
    const [query = ''] = queries;
    const searched = async (minScore: number) => {
      const started = vectorBase({ indexDir: withVectors, mode: 'meaning', minScore, topK: 20 });
      await started.start();
      const { results } = await started.search(query);
      await started.close();
      return results.map(({ id, score }) => ({ id, score: score ?? Number.NaN }));
    };
    const all = await searched(0);
    expect(all.length).toBeGreaterThan(5);
    const edge = ((all[2]?.score ?? 0) + (all[3]?.score ?? 0)) / 2;
    expect(await searched(edge)).toEqual(all.filter(({ score }) => score >= edge));
    expect(await searched(1)).toEqual([]);
  });

  it('leaves a hybrid with scores for the hits by meaning only', async () => {
    const started = vectorBase({ indexDir: withVectors, topK: 20 });
    await started.start();
    const found = await Promise.all(queries.map((query) => started.search(query)));
    const results = found.flatMap((outcome) => outcome.results);
    for (const { score, keywordScore } of results)
      expect(score !== undefined || keywordScore !== undefined).toBe(true);
    expect(results.some(({ score }) => score !== undefined)).toBe(true);
    await started.close();
  });
});
