import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import type { KnowledgeBase } from '../../src/knowledge-base.js';
import type { Mode } from '../../src/mode.js';
import { base, documentsFolder, queries } from '../index/baked-index.js';
import { bakeVectors, vectorBase } from '../index/vector-base.js';
import { ScriptedEmbedder, fail, right } from './scripted-embedder.js';
import { served } from './served-base.js';

const [first = '', query = ''] = queries;

let indexDir: string;

beforeAll(async () => {
  indexDir = await bakeVectors('one');
});

/** Words of the documents, written in ways that change nothing, a few of them to a query. */
const spoken = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'refund',
        'suitcase',
        'MV-87',
        'GC-505',
        'limit',
        'the',
        'edition',
        'zyzzyva',
      ),
      fc.constantFrom('', '?', '!', ',', '"', ' '),
      fc.boolean(),
    ),
    { maxLength: 3 },
  )
  .map((words) =>
    words.map(([word, sign, loud]) => (loud ? word.toUpperCase() : word) + sign).join(' '),
  );

describe.each(['keyword', 'meaning', 'hybrid'] satisfies Mode[])('a cache in mode %s', (mode) => {
  it('changes no answer', async () => {
    const start = async (cacheSize: number): Promise<KnowledgeBase> => {
      const options = { indexDir, cacheSize };
      const started = mode === 'keyword' ? base(options) : vectorBase({ ...options, mode });
      await started.start();
      return started;
    };
    const [cached, small, plain] = await Promise.all([start(500), start(2), start(0)]);
    const asked = fc.tuple(spoken, fc.constantFrom(1, 3));
    await fc.assert(
      fc.asyncProperty(asked, async ([words, topK]) => {
        const expected = await plain.search(words, { topK });
        for (const other of [cached, small]) {
          const { results, status } = await other.search(words, { topK });
          expect({ results, status }).toEqual({
            results: expected.results,
            status: expected.status,
          });
          expect(await other.lookUp(words, { topK })).toEqual(await plain.lookUp(words, { topK }));
        }
      }),
      { numRuns: 200 },
    );
    expect(cached.status().cache.hits > 100).toBe(mode !== 'keyword');
    expect(plain.status().cache).toMatchObject({ entries: 0, hits: 0 });
    await Promise.all([cached.close(), small.close(), plain.close()]);
  });
});

describe('the results of a base', () => {
  it('are kept by words and number of passages, and its status counts them', async () => {
    const embedder = new ScriptedEmbedder();
    const hotel = await served(indexDir, embedder);
    expect(await hotel.search(query)).toMatchObject({ cached: false });
    expect(await hotel.search(`${query.toUpperCase()}?`)).toMatchObject({ cached: true });
    expect(hotel.status().cache).toEqual({ entries: 1, hits: 1, misses: 1 });
    const one = await hotel.search(query, { topK: 1 });
    expect(one.results).toHaveLength(1);
    expect(one.cached).toBe(true);
    expect(hotel.status().cache).toEqual({ entries: 2, hits: 1, misses: 2 });
    expect(embedder.asked).toHaveLength(1);
  });

  it('are not kept when the embedder had failed', async () => {
    const embedder = new ScriptedEmbedder(fail);
    const hotel = await served(indexDir, embedder);
    expect(await hotel.search(query)).toMatchObject({ degraded: 'embedder-failed' });
    embedder.answer = right;
    const { degraded, cached } = await hotel.search(query);
    expect({ degraded, cached }).toEqual({ degraded: undefined, cached: false });
  });

  it('are not those of another generation', async () => {
    const own = await bakeVectors('one');
    const hotel = await served(own, new ScriptedEmbedder());
    const before = await hotel.search(first);
    expect(await hotel.search(first)).toMatchObject({ cached: true });
    await vectorBase({ documents: await documentsFolder('two'), indexDir: own }).bake();
    expect(await hotel.reload()).toBe(true);
    const after = await hotel.search(first);
    expect(after.generation).not.toBe(before.generation);
    expect(JSON.stringify(before.results)).toContain('edition one');
    expect(JSON.stringify(after.results)).toContain('edition two');
    expect(JSON.stringify(after.results)).not.toContain('edition one');
  });

  it('are told of in the event as kept', async () => {
    const events: unknown[] = [];
    const hotel = await served(indexDir, new ScriptedEmbedder(), {
      onLookup: ({ cached, prefetched }) => events.push({ cached, prefetched }),
    });
    await hotel.lookUp(query);
    await hotel.lookUp(query);
    expect(events).toEqual([
      { cached: false, prefetched: false },
      { cached: true, prefetched: false },
    ]);
  });

  it('of keyword lookups are not kept', async () => {
    const hotel = base({ indexDir });
    await hotel.start();
    await hotel.search(query);
    expect(await hotel.search(query)).toMatchObject({ status: 'found', cached: false });
    expect(hotel.status()).toMatchObject({
      embedder: undefined,
      cache: { entries: 0, hits: 0, misses: 0 },
    });
    await hotel.close();
  });
});
