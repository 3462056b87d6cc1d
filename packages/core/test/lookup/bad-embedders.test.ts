import { beforeAll, describe, expect, it } from 'vitest';

import { queries } from '../index/baked-index.js';
import { askVectors, bakeVectors } from '../index/vector-base.js';
import { type Answer, ScriptedEmbedder, fail, hang, right } from './scripted-embedder.js';
import { served } from './served-base.js';

const [, query = ''] = queries;

let indexDir: string;

beforeAll(async () => {
  indexDir = await bakeVectors('one');
});

const bad: Readonly<Record<string, Answer>> = {
  'never resolves': hang,
  rejects: fail,
  'throws synchronously': () => {
    throw new Error(query);
  },
  'gives another dimension': async (vectors) => vectors.map((vector) => vector.slice(1)),
  'gives NaN': async (vectors) => vectors.map((vector) => vector.with(0, Number.NaN)),
  'gives zeros': async (vectors) => vectors.map((vector) => new Float32Array(vector.length)),
  'gives too many': async (vectors) => [...vectors, ...vectors],
  'gives none': async () => [],
};

describe.each(Object.entries(bad))('an embedder that %s', (_what, answer) => {
  it('is survived by every lookup, alone and together, and forgotten once it is well', async () => {
    const embedder = new ScriptedEmbedder(answer);
    const hotel = await served(indexDir, embedder, { deadlineMs: 25 });
    const asked = [query, query, ...queries.slice(2, 6)].map((words) => hotel.search(words));
    for (const { status, degraded } of await Promise.all(asked)) {
      expect(status).toBe('found');
      expect(degraded).toMatch(/^embedder-(failed|slow)$/);
    }
    expect(hotel.status().cache.entries).toBe(0);
    expect(hotel.status().embedder?.cached).toBe(0);
    embedder.answer = right;
    const patient = { deadlineMs: 5_000 };
    const healed = await Promise.all(queries.map((words) => hotel.lookUp(words, patient)));
    expect(healed).toEqual(await askVectors(indexDir, queries));
  });
});

describe('an embedder that resolves after the caller hung up', () => {
  it('is not listened to', async () => {
    const late: (() => void)[] = [];
    const embedder = new ScriptedEmbedder(
      (vectors) =>
        new Promise((resolve) =>
          late.push(() => resolve(vectors.map((vector) => vector.map((value) => -value)))),
        ),
    );
    const hotel = await served(indexDir, embedder, { deadlineMs: 5_000 });
    const caller = new AbortController();
    const asked = hotel.lookUp(query, { signal: caller.signal });
    await expect.poll(() => late).toHaveLength(1);
    caller.abort();
    expect(await asked).toEqual({ error: 'lookup unavailable' });
    for (const resolve of late) resolve();
    embedder.answer = right;
    expect(await hotel.search(query)).toMatchObject({ status: 'found', cached: false });
    expect(await hotel.lookUp(query)).toEqual((await askVectors(indexDir, [query]))[0]);
  });
});

describe('an embedder that is late with the right vector', () => {
  it('makes the next lookup for the same words whole', async () => {
    const opened: (() => void)[] = [];
    const embedder = new ScriptedEmbedder(
      (vectors) => new Promise((resolve) => opened.push(() => resolve(vectors))),
    );
    const hotel = await served(indexDir, embedder, { deadlineMs: 20 });
    expect(await hotel.search(query)).toMatchObject({ degraded: 'embedder-slow' });
    for (const open of opened) open();
    await expect.poll(() => hotel.status().embedder?.cached).toBe(1);
    const { degraded, cached, results } = await hotel.search(`"${query.toUpperCase()}"?`);
    expect({ degraded, cached }).toEqual({ degraded: undefined, cached: true });
    expect(results[0]).toHaveProperty('score');
    expect(embedder.asked).toHaveLength(1);
  });
});
