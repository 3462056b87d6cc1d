import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KnowledgeBase, type KnowledgeBaseOptions, type Mode } from '@cuecard/core';
import { startFakeOpenAI, type FakeOpenAI } from '@cuecard/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { openaiEmbedder, type OpenAIEmbedderOptions } from '../src/index.js';
import { inputOf, key } from './support.js';

const question = 'how many kilograms may a suitcase weigh';
const logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as const;
/** Beyond this no lookup here may take, on a machine that is busy. */
const longest = 3_000;

let documents: string;
let byKeyword: unknown;

beforeAll(async () => {
  documents = await mkdtemp(join(tmpdir(), 'cuecard-'));
  await writeFile(
    join(documents, 'luggage.md'),
    '# Luggage\n\nA suitcase may weigh 23 kilograms.\n\n# Parking\n\nParking costs 9 euros.\n',
  );
  const plain = new KnowledgeBase({ name: 'hotel', documents, logger });
  await plain.start();
  const { results } = await plain.search(question);
  byKeyword = results;
  await plain.close();
});
afterAll(() => rm(documents, { recursive: true, force: true }));

/** A base whose embedder talks to a server that is well until the test says otherwise. */
async function serve(
  options: Partial<KnowledgeBaseOptions> = {},
  client: OpenAIEmbedderOptions = {},
): Promise<{ server: FakeOpenAI; hotel: KnowledgeBase; asked: () => unknown[] }> {
  const server = await startFakeOpenAI({ apiKey: key });
  onTestFinished(() => server.close());
  const embed = () =>
    openaiEmbedder({ apiKey: key, baseURL: server.url, dimensions: 64, maxRetries: 0, ...client });
  const hotel = new KnowledgeBase({ name: 'hotel', documents, embed, logger, ...options });
  await hotel.start();
  onTestFinished(() => hotel.close());
  const before = server.requests.length;
  const asked = (): unknown[] => server.requests.slice(before).flatMap(inputOf);
  return { server, hotel, asked };
}

/** What a lookup finds when nothing goes wrong. */
async function whole(): Promise<unknown> {
  const { hotel } = await serve({ deadlineMs: 2_900 });
  const { results, degraded } = await hotel.search(question);
  expect(degraded).toBeUndefined();
  return results;
}

async function timed<T>(run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const value = await run();
  expect(performance.now() - began).toBeLessThan(longest);
  return value;
}

const faults = [
  ['hang', { kind: 'hang' }, 'embedder-slow'],
  ['a late answer', { kind: 'delay', milliseconds: 2_500 }, 'embedder-slow'],
  ['a body that stops', { kind: 'stall' }, 'embedder-slow'],
  ['429', { kind: 'status', status: 429 }, 'embedder-failed'],
  ['500', { kind: 'status', status: 500 }, 'embedder-failed'],
  ['a reset', { kind: 'reset' }, 'embedder-failed'],
  ['half a body', { kind: 'half-body' }, 'embedder-failed'],
  ['no JSON', { kind: 'not-json' }, 'embedder-failed'],
  ['another dimension', { kind: 'wrong-dimension' }, 'embedder-failed'],
  ['no vector', { kind: 'wrong-count' }, 'embedder-failed'],
  ['NaN', { kind: 'not-a-number' }, 'embedder-failed'],
] as const;

describe.each(faults)('a server with %s', (_name, fault, degraded) => {
  it('leaves the lookup to the keywords in time, and the next one is whole again', async () => {
    const { server, hotel } = await serve({ deadlineMs: 1_000 });
    server.fault(fault);
    const outcome = await timed(() => hotel.search(question));
    expect(outcome).toMatchObject({ status: 'found', degraded, cached: false });
    expect(outcome.results).toEqual(byKeyword);
    expect(outcome.results.length).toBeGreaterThan(0);
    expect(hotel.status().cache.entries).toBe(0);
    const next = await timed(() => hotel.search(question, { deadlineMs: 2_900 }));
    expect(next).toMatchObject({ status: 'found', degraded: undefined, cached: false });
    expect(next.results).toEqual(await whole());
  });

  it('makes a lookup by meaning unavailable in time', async () => {
    const mode: Mode = 'meaning';
    const { server, hotel } = await serve({ mode, deadlineMs: 300 });
    server.fault(fault);
    expect(await timed(() => hotel.lookUp(question))).toEqual({ error: 'lookup unavailable' });
  });
});

describe('a server that answers after the deadline', () => {
  it('has its answer kept for the next who asks', async () => {
    const { server, hotel, asked } = await serve({ deadlineMs: 100 });
    server.fault({ kind: 'delay', milliseconds: 400 });
    expect(await hotel.search(question)).toMatchObject({ degraded: 'embedder-slow' });
    await expect.poll(() => hotel.status().embedder?.cached).toBe(1);
    expect(await hotel.search(question)).toMatchObject({ degraded: undefined, cached: true });
    expect(asked()).toEqual([question]);
  });

  it('may have been asked again by the client within the deadline', async () => {
    const { server, hotel, asked } = await serve({ deadlineMs: 2_500 }, { maxRetries: 1 });
    server.fault({ kind: 'status', status: 429, retryAfterSeconds: 0.01 });
    expect(await hotel.search(question)).toMatchObject({ degraded: undefined });
    expect(asked()).toEqual([question, question]);
  });
});

describe('a server that is down', () => {
  it('is left alone after ten calls, tried again after two seconds, and used again', async () => {
    const { server, hotel, asked } = await serve({ deadlineMs: 2_500 });
    server.fault({ kind: 'status', status: 500 }, { times: 10 });
    for (let times = 0; times < 10; times++)
      expect(await hotel.search(`${question} ${times}`)).toMatchObject({
        degraded: 'embedder-failed',
      });
    const paused = await hotel.search(question);
    expect(paused).toMatchObject({ status: 'found', degraded: 'embedder-paused' });
    expect(paused.results).toEqual(byKeyword);
    expect(hotel.status().embedder).toMatchObject({ breaker: 'open', failed: 10, inFlight: 0 });
    expect(asked()).toHaveLength(10);
    const search = async () => (await hotel.search(question)).degraded;
    await expect.poll(search, { timeout: 4_000 }).toBeUndefined();
    expect(hotel.status().embedder).toMatchObject({ breaker: 'closed' });
    expect(asked()).toHaveLength(11);
  });

  it('is not left alone for failing one call in ten', async () => {
    const { server, hotel } = await serve({ deadlineMs: 2_500 });
    server.fault({ kind: 'status', status: 500 }, { probability: 0.1, seed: 4 });
    const degraded: unknown[] = [];
    for (let times = 0; times < 200; times++) {
      const outcome = await hotel.search(`${question} ${times}`);
      expect(outcome.status).toBe('found');
      if (outcome.degraded) degraded.push(outcome.degraded);
    }
    expect(hotel.status().embedder).toMatchObject({ breaker: 'closed', failed: degraded.length });
    expect(new Set(degraded)).toEqual(new Set(['embedder-failed']));
  });
});

describe('a request', () => {
  it('is one for all who ask the same at once', async () => {
    const { hotel, asked } = await serve({ deadlineMs: 2_500 });
    const all = Array.from({ length: 30 }, () => hotel.lookUp(question));
    const [first, ...others] = await Promise.all(all);
    for (const other of others) expect(other).toEqual(first);
    expect(asked()).toEqual([question]);
  });

  it('is broken off when the caller hangs up', async () => {
    const { server, hotel } = await serve({ deadlineMs: 60_000 });
    const before = server.requests.length;
    server.fault({ kind: 'hang' });
    const caller = new AbortController();
    const lookup = timed(() => hotel.lookUp(question, { signal: caller.signal }));
    await server.arrived(before + 1);
    caller.abort();
    expect(await lookup).toEqual({ error: 'lookup unavailable' });
    expect(await server.requests[before]?.ended).toBe('broken-off');
  });

  it('of a prefetch is broken off when the words change, or the base closes', async () => {
    const { server, hotel } = await serve({ deadlineMs: 60_000 });
    const before = server.requests.length;
    server.fault({ kind: 'hang' }, { times: 2 });
    hotel.prefetch('how many', { session: 'call' });
    await server.arrived(before + 1);
    hotel.prefetch('how many kilograms', { session: 'call' });
    expect(await server.requests[before]?.ended).toBe('broken-off');
    await server.arrived(before + 2);
    await hotel.close();
    expect(await server.requests[before + 1]?.ended).toBe('broken-off');
  });
});
