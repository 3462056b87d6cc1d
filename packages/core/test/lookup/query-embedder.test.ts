import { describe, expect, it } from 'vitest';

import { makeQueryEmbedder, query, settle, within } from './query-embedder-support.js';
import { ScriptedEmbedder, fail, gate, hang, right } from './scripted-embedder.js';

describe('a query embedder', () => {
  it('gives the vector of the query', async () => {
    const embedder = new ScriptedEmbedder();
    const { queries } = makeQueryEmbedder(embedder);
    const vector = embedder.vector(query);
    const embedded = await queries.embed(query, within(1_000));
    expect(embedded).toMatchObject({ cached: false, prefetched: false });
    expect(embedded).toHaveProperty('vector', expect.any(Float32Array));
    if (typeof embedded === 'string') return;
    expect(
      [...embedded.vector]
        .map((value, at) => value - (vector[at] ?? 0))
        .every((off) => Math.abs(off) < 1e-6),
    ).toBe(true);
  });

  it('keeps vectors for the same words, however they are written', async () => {
    const embedder = new ScriptedEmbedder();
    const { queries } = makeQueryEmbedder(embedder);
    const first = await queries.embed('Is breakfast early?', within(1_000));
    const second = await queries.embed('is  breakfast "early"', within(1_000));
    expect(second).toEqual({ ...(typeof first === 'string' ? {} : first), cached: true });
    expect(embedder.asked).toEqual(['Is breakfast early?']);
    expect(queries.status()).toMatchObject({ calls: 1, cached: 1 });
  });

  it('keeps at most twice its cache size, the newest first', async () => {
    const embedder = new ScriptedEmbedder();
    const { queries } = makeQueryEmbedder(embedder, { cacheSize: 10 });
    const numbers = Array.from({ length: 100 }, (_, at) => `number ${at}`);
    for (const number of numbers) await queries.embed(number, within(1_000));
    for (const number of numbers.slice(-10))
      expect(await queries.embed(number, within(1_000))).toMatchObject({ cached: true });
    for (const number of numbers.slice(0, 80))
      expect(await queries.embed(number, within(1_000))).toMatchObject({ cached: false });
  });

  it('keeps nothing with a cache size of 0', async () => {
    const embedder = new ScriptedEmbedder();
    const { queries } = makeQueryEmbedder(embedder, { cacheSize: 0 });
    await queries.embed(query, within(1_000));
    expect(await queries.embed(query, within(1_000))).toMatchObject({ cached: false });
    expect(embedder.asked).toHaveLength(2);
  });

  it.each([100, 0])(
    'shares a call among those who ask the same, cache size %i',
    async (cacheSize) => {
      const { answer, open } = gate();
      const embedder = new ScriptedEmbedder(answer);
      const { queries } = makeQueryEmbedder(embedder, { cacheSize });
      const asked = Array.from({ length: 20 }, () => queries.embed(query, within(5_000)));
      await settle();
      expect(queries.status()).toMatchObject({ inFlight: 1 });
      open();
      const answers = await Promise.all(asked);
      expect(embedder.asked).toHaveLength(1);
      expect(
        new Set(answers.map((given) => (typeof given === 'string' ? given : given.vector))).size,
      ).toBe(1);
      expect(queries.status()).toMatchObject({ inFlight: 0 });
    },
  );

  it('says that a call is slow at the deadline, and keeps the vector that comes later', async () => {
    const { answer, open } = gate();
    const embedder = new ScriptedEmbedder(answer);
    const { queries } = makeQueryEmbedder(embedder);
    expect(await queries.embed(query, within(10))).toBe('embedder-slow');
    expect(embedder.signals[0]?.aborted).toBe(false);
    open();
    await settle();
    expect(await queries.embed(query, within(1_000))).toMatchObject({ cached: true });
  });

  it('asks again for words whose call is late, and does not wait for that one', async () => {
    const embedder = new ScriptedEmbedder(hang);
    const { queries } = makeQueryEmbedder(embedder, { deadlineMs: 20 });
    expect(await queries.embed(query, within(20))).toBe('embedder-slow');
    embedder.answer = right;
    expect(await queries.embed(query, within(1_000))).toMatchObject({ cached: false });
  });

  it('keeps nothing of a call that failed', async () => {
    const embedder = new ScriptedEmbedder(fail);
    const { queries } = makeQueryEmbedder(embedder);
    expect(await queries.embed(query, within(1_000))).toBe('embedder-failed');
    embedder.answer = right;
    expect(await queries.embed(query, within(1_000))).toMatchObject({ cached: false });
    expect(queries.status()).toMatchObject({ calls: 2, failed: 1, late: 0, inFlight: 0 });
  });
});

describe('callers who hang up', () => {
  it('leave at once, and the call goes on while another wants it', async () => {
    const { answer, open } = gate();
    const embedder = new ScriptedEmbedder(answer);
    const { queries } = makeQueryEmbedder(embedder);
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [first, second].map(({ signal }) => queries.embed(query, within(60_000, signal)));
    const [one, two] = asked;
    await settle();
    first.abort();
    await expect(one).rejects.toBe(first.signal.reason);
    expect(embedder.signals[0]?.aborted).toBe(false);
    open();
    expect(await two).toMatchObject({ cached: false });
  });

  it('end the call with the last of them, and it does not count for the breaker', async () => {
    const embedder = new ScriptedEmbedder(hang);
    const { queries } = makeQueryEmbedder(embedder);
    for (let times = 0; times < 20; times++) {
      const callers = [new AbortController(), new AbortController()];
      const asked = callers.map(({ signal }) => queries.embed(query, within(60_000, signal)));
      await settle();
      for (const caller of callers) caller.abort();
      await Promise.allSettled(asked);
      expect(embedder.signals[times]?.aborted).toBe(true);
    }
    await settle();
    expect(queries.status()).toMatchObject({
      breaker: 'closed',
      calls: 20,
      failed: 0,
      late: 0,
      inFlight: 0,
    });
  });

  it('do not end a call that another left at its deadline', async () => {
    const { answer, open } = gate();
    const embedder = new ScriptedEmbedder(answer);
    const { queries } = makeQueryEmbedder(embedder);
    const caller = new AbortController();
    const asked = queries.embed(query, within(60_000, caller.signal));
    expect(await queries.embed(query, within(10))).toBe('embedder-slow');
    caller.abort();
    await asked.catch(() => undefined);
    open();
    await settle();
    expect(await queries.embed(query, within(1_000))).toMatchObject({ cached: true });
  });

  it('do not take the call from one who asks in the same moment', async () => {
    const { answer, open } = gate();
    const embedder = new ScriptedEmbedder(answer);
    const { queries } = makeQueryEmbedder(embedder);
    const caller = new AbortController();
    const first = queries.embed(query, within(60_000, caller.signal));
    await settle();
    caller.abort();
    const second = queries.embed(query, within(60_000));
    await expect(first).rejects.toBe(caller.signal.reason);
    expect(embedder.signals[0]?.aborted).toBe(false);
    open();
    expect(await second).toMatchObject({ cached: false });
    expect(embedder.asked).toHaveLength(1);
  });

  it('leave a broken-off call to nobody', async () => {
    const embedder = new ScriptedEmbedder(hang);
    const { queries } = makeQueryEmbedder(embedder);
    const caller = new AbortController();
    const first = queries.embed(query, within(60_000, caller.signal));
    await settle();
    embedder.answer = right;
    caller.abort();
    await expect(first).rejects.toBe(caller.signal.reason);
    expect(await queries.embed(query, within(1_000))).toMatchObject({ cached: false });
  });
});
