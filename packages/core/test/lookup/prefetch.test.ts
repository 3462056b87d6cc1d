import { setTimeout as wait } from 'node:timers/promises';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { Prefetcher } from '../../src/lookup/prefetcher.js';
import { base, queries } from '../index/baked-index.js';
import { askVectors, bakeVectors, vectorBase } from '../index/vector-base.js';
import { ScriptedEmbedder, gate, hang, right } from './scripted-embedder.js';
import { served } from './served-base.js';

const [, query = ''] = queries;
/** A good while longer than words must stand. */
const longer = 400;

let indexDir: string;

beforeAll(async () => {
  indexDir = await bakeVectors('one');
});

/** Calls `prefetch` as a program without types could. */
function untyped(hotel: object, args: readonly unknown[]): unknown {
  const prefetch: unknown = Reflect.get(hotel, 'prefetch');
  if (typeof prefetch !== 'function') throw new TypeError('no prefetch');
  return Reflect.apply(prefetch, hotel, args);
}

/** Runs that end when the test says so. */
function makePrefetcher() {
  const runs: { text: string; signal: AbortSignal; end: () => void }[] = [];
  const prefetcher = new Prefetcher(
    (text, signal) =>
      new Promise((resolve) => runs.push({ text, signal, end: () => resolve(text) })),
  );
  onTestFinished(() => prefetcher.close());
  return { prefetcher, runs };
}

describe('a prefetcher', () => {
  it('waits until the words stand', async () => {
    const { prefetcher, runs } = makePrefetcher();
    for (const text of ['how', 'how long', 'how long do refunds take'])
      prefetcher.prefetch(text, 'call');
    expect(runs).toEqual([]);
    await wait(longer);
    expect(runs.map(({ text }) => text)).toEqual(['how long do refunds take']);
  });

  it('has one run a session, dropped when the words change and kept when they do not', async () => {
    const { prefetcher, runs } = makePrefetcher();
    prefetcher.prefetch('how long', 'call');
    prefetcher.prefetch('opening hours', 'another call');
    await wait(longer);
    prefetcher.prefetch('How long?', 'call');
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    prefetcher.prefetch('how long do refunds', 'call');
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await wait(longer);
    expect(runs.map(({ text }) => text)).toEqual([
      'how long',
      'opening hours',
      'how long do refunds',
    ]);
  });

  it('drops the run when there are no words any more', async () => {
    const { prefetcher, runs } = makePrefetcher();
    prefetcher.prefetch('how long', 'call');
    await wait(longer);
    prefetcher.prefetch('', 'call');
    expect(runs[0]?.signal.aborted).toBe(true);
  });

  it('forgets a session when its run has ended, however it did', async () => {
    const { prefetcher, runs } = makePrefetcher();
    prefetcher.prefetch('how long', 'call');
    await wait(longer);
    runs[0]?.end();
    await wait(5);
    prefetcher.prefetch('how long', 'call');
    await wait(longer);
    expect(runs).toHaveLength(2);
  });

  it('runs nothing after it was closed', async () => {
    const { prefetcher, runs } = makePrefetcher();
    prefetcher.prefetch('how long', 'call');
    await wait(longer);
    prefetcher.prefetch('opening hours', 'another call');
    prefetcher.close();
    await wait(longer);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true]);
  });
});

describe('prefetch()', () => {
  it('answers a later lookup with the same words before it has to ask', async () => {
    const embedder = new ScriptedEmbedder();
    const events: unknown[] = [];
    const hotel = await served(indexDir, embedder, {
      onLookup: ({ prefetched, cached }) => events.push({ prefetched, cached }),
    });
    hotel.prefetch(query, { session: 'call' });
    await expect.poll(() => hotel.status().cache.entries).toBe(1);
    expect(events).toEqual([]);
    expect(await hotel.lookUp(`${query}?`)).toEqual((await askVectors(indexDir, [query]))[0]);
    expect(events).toEqual([{ prefetched: true, cached: true }]);
    expect(await hotel.search(query, { topK: 1 })).toMatchObject({ prefetched: true });
    expect(embedder.asked).toEqual([query]);
  });

  it('is joined by a lookup with the same words, with the cache off too', async () => {
    const { answer, open } = gate();
    const embedder = new ScriptedEmbedder(answer);
    const hotel = await served(indexDir, embedder, { cacheSize: 0, deadlineMs: 5_000 });
    hotel.prefetch(query);
    await expect.poll(() => embedder.asked).toEqual([query]);
    const asked = hotel.search(query);
    await wait(5);
    open();
    expect(await asked).toMatchObject({ status: 'found', prefetched: true, cached: false });
    expect(embedder.asked).toEqual([query]);
  });

  it('gives up the call of words that changed, unless a lookup waits for it', async () => {
    const { answer, open } = gate();
    const embedder = new ScriptedEmbedder(answer);
    const hotel = await served(indexDir, embedder, { deadlineMs: 5_000 });
    hotel.prefetch('how many', { session: 'one' });
    hotel.prefetch(query, { session: 'two' });
    await expect.poll(() => embedder.asked).toHaveLength(2);
    const asked = hotel.search(query);
    hotel.prefetch('how many kilograms', { session: 'one' });
    hotel.prefetch('something else', { session: 'two' });
    await expect.poll(() => embedder.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    open();
    expect(await asked).toMatchObject({ status: 'found', prefetched: true });
  });

  it('makes nothing of a slow embedder but a better start for the next', async () => {
    const { answer, open } = gate();
    const embedder = new ScriptedEmbedder(answer);
    const hotel = await served(indexDir, embedder, { deadlineMs: 20 });
    hotel.prefetch(query);
    await expect.poll(() => hotel.status().embedder?.late).toBe(1);
    expect(hotel.status().cache.entries).toBe(0);
    open();
    await expect.poll(() => hotel.status().embedder?.cached).toBe(1);
    expect(await hotel.search(query)).toMatchObject({ prefetched: true, cached: true });
  });

  it('leaves nothing running after close()', async () => {
    const embedder = new ScriptedEmbedder(hang);
    const hotel = await served(indexDir, embedder);
    hotel.prefetch(query, { session: 'one' });
    await expect.poll(() => embedder.asked).toHaveLength(1);
    hotel.prefetch('opening hours', { session: 'two' });
    await hotel.close();
    expect(embedder.signals[0]?.aborted).toBe(true);
    hotel.prefetch('parking', { session: 'three' });
    await wait(longer);
    expect(embedder.asked).toHaveLength(1);
  });

  it('does nothing before the start and nothing by keywords, and never throws', async () => {
    const idle = vectorBase({ indexDir });
    const plain = base({ indexDir });
    await plain.start();
    for (const hotel of [idle, plain]) {
      expect(hotel.prefetch(query)).toBeUndefined();
      for (const args of [[], [null], [{}], [query, null], [query, { session: 7 }]])
        expect(untyped(hotel, args)).toBeUndefined();
    }
    await wait(longer);
    expect(plain.status().cache.misses).toBe(0);
    await plain.close();
  });

  it('survives a rerank and an embedder that throw', async () => {
    const embedder = new ScriptedEmbedder(() => {
      throw new Error('no');
    });
    const hotel = await served(indexDir, embedder, {
      mode: 'meaning',
      rerank: () => {
        throw new Error('no');
      },
    });
    hotel.prefetch(query);
    await expect.poll(() => embedder.asked).toHaveLength(1);
    embedder.answer = right;
    await expect.poll(() => hotel.status().embedder?.inFlight).toBe(0);
    expect(await hotel.search(query)).toMatchObject({ status: 'found', prefetched: false });
  });
});
