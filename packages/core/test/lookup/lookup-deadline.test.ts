import { getEventListeners } from 'node:events';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Rerank } from '../../src/lookup/rerank.js';
import type { Mode } from '../../src/mode.js';
import { base, queries } from '../index/baked-index.js';
import { bakeVectors, vectorBase } from '../index/vector-base.js';
import { ScriptedEmbedder, hang, right } from './scripted-embedder.js';
import { served } from './served-base.js';

const [, query = ''] = queries;
/** Far beyond every deadline here, and far below the time a test may take. */
const longest = 3_000;

let indexDir: string;

beforeAll(async () => {
  indexDir = await bakeVectors('one');
});

async function timed<T>(run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const value = await run();
  expect(performance.now() - began).toBeLessThan(longest);
  return value;
}

/** What keywords alone answer. */
async function keywordHits(): Promise<unknown> {
  const plain = base({ indexDir });
  await plain.start();
  const { results } = await plain.search(query);
  await plain.close();
  expect(results.length).toBeGreaterThan(0);
  return results;
}

describe('an embedder that never answers', () => {
  it('leaves a hybrid lookup to the keywords by the deadline', async () => {
    const hotel = await served(indexDir, new ScriptedEmbedder(hang), { deadlineMs: 30 });
    const outcome = await timed(() => hotel.search(query));
    expect(outcome).toMatchObject({ status: 'found', degraded: 'embedder-slow', cached: false });
    expect(outcome.results).toEqual(await keywordHits());
  });

  it('makes a lookup by meaning unavailable by the deadline', async () => {
    const options = { mode: 'meaning', deadlineMs: 30 } as const;
    const hotel = await served(indexDir, new ScriptedEmbedder(hang), options);
    expect(await timed(() => hotel.lookUp(query))).toEqual({ error: 'lookup unavailable' });
  });

  it('holds a lookup up for as long as that lookup says', async () => {
    const hotel = await served(indexDir, new ScriptedEmbedder(hang), { deadlineMs: 60_000 });
    expect(await timed(() => hotel.search(query, { deadlineMs: 20 }))).toMatchObject({
      degraded: 'embedder-slow',
    });
  });

  it('holds nobody up once it has been late ten times, and the state says so', async () => {
    const hotel = await served(indexDir, new ScriptedEmbedder(hang), { deadlineMs: 30 });
    const asked = Array.from({ length: 10 }, (_, at) => hotel.search(`${query} ${at}`));
    await timed(() => Promise.all(asked));
    await expect.poll(() => hotel.status().embedder?.breaker).toBe('open');
    const { degraded, results } = await hotel.search(query, { deadlineMs: 60_000 });
    expect(degraded).toBe('embedder-paused');
    expect(results).toEqual(await keywordHits());
    expect(hotel.status().embedder).toMatchObject({ calls: 10, late: 10 });
  });
});

const hangingRerank: Rerank = () => new Promise(() => undefined);

describe.each(['keyword', 'meaning', 'hybrid'] satisfies Mode[])('rerank in mode %s', (mode) => {
  const start = async (rerank: Rerank) => {
    const options = { indexDir, deadlineMs: 40, rerank };
    const hotel =
      mode === 'keyword'
        ? base(options)
        : vectorBase({ ...options, mode, embed: () => new ScriptedEmbedder(right) });
    await hotel.start();
    return hotel;
  };

  it('that never answers leaves the order as it was, by the deadline, and is told to stop', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const hotel = await start((_query, _hits, { signal }) => {
      signals.push(signal);
      return hangingRerank(query, [], {});
    });
    const outcome = await timed(() => hotel.search(query));
    const content = await start((_query, hits) => hits);
    expect(outcome.status).toBe('found');
    expect(outcome.results).toEqual((await content.search(query)).results);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect(hotel.status().cache).toMatchObject({ entries: 0, misses: 1 });
    expect(content.status().cache).toMatchObject({ entries: 1, misses: 1 });
    await Promise.all([hotel.close(), content.close()]);
  });

  it('ends at once when the caller hangs up', async () => {
    const hotel = await start(hangingRerank);
    const caller = new AbortController();
    const asked = timed(() => hotel.search(query, { signal: caller.signal, deadlineMs: 60_000 }));
    setTimeout(() => caller.abort(), 20);
    expect(await asked).toMatchObject({ status: 'unavailable', reason: 'aborted', results: [] });
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    await hotel.close();
  });
});

describe('a caller who hangs up', () => {
  it('ends a lookup that waits for its embedder at once', async () => {
    const embedder = new ScriptedEmbedder(hang);
    const hotel = await served(indexDir, embedder);
    const caller = new AbortController();
    const asked = timed(() => hotel.search(query, { signal: caller.signal, deadlineMs: 60_000 }));
    await expect.poll(() => embedder.asked).toHaveLength(1);
    caller.abort();
    expect(await asked).toMatchObject({ status: 'unavailable', reason: 'aborted' });
    expect(embedder.signals[0]?.aborted).toBe(true);
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('is not asked for, when gone before', async () => {
    const embedder = new ScriptedEmbedder(hang);
    const hotel = await served(indexDir, embedder);
    const outcome = await hotel.lookUp(query, { signal: AbortSignal.abort() });
    expect(outcome).toEqual({ error: 'lookup unavailable' });
    expect(embedder.asked).toEqual([]);
  });
});
