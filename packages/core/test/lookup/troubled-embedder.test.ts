import { describe, expect, it } from 'vitest';

import { EmbedCall } from '../../src/lookup/embed-call.js';
import type { QueryEmbedder } from '../../src/lookup/query-embedder.js';
import { makeQueryEmbedder, query, settle, within } from './query-embedder-support.js';
import { ScriptedEmbedder, after, fail, gate, hang, right } from './scripted-embedder.js';

async function trip(embedder: ScriptedEmbedder, queries: QueryEmbedder): Promise<void> {
  embedder.answer = fail;
  for (let times = 0; times < 10; times++)
    expect(await queries.embed(`trip ${times}`, within(1_000))).toBe('embedder-failed');
  expect(queries.status().breaker).toBe('open');
}

describe('an embedder that hangs', () => {
  it('has its calls broken off, even when it does not heed the signal', async () => {
    const ends: string[] = [];
    const embedder = new ScriptedEmbedder(hang);
    const onEnd = (how: string): void => void ends.push(how);
    const call = new EmbedCall(embedder, {
      query,
      lateAt: performance.now() + 10,
      longestMs: 30,
      prefetched: false,
      onEnd,
    });
    await expect(call.vector).rejects.toThrow('aborted');
    expect(embedder.signals[0]?.aborted).toBe(true);
    expect(ends).toEqual(['late']);
  });

  it('never has more than 256 calls out; the oldest that nobody waits for gives way', async () => {
    const embedder = new ScriptedEmbedder(hang);
    // Late after a minute only: the breaker has nothing to say here.
    const { queries } = makeQueryEmbedder(embedder, { deadlineMs: 60_000 });
    const callers = Array.from({ length: 256 }, () => new AbortController());
    const left = queries.embed('left early', within(1));
    const waiting = callers
      .slice(1)
      .map(({ signal }, at) => queries.embed(`number ${at}`, within(60_000, signal)));
    expect(await left).toBe('embedder-slow');
    expect(queries.status().inFlight).toBe(256);
    waiting.push(queries.embed('one more', within(60_000, callers[0]?.signal)));
    await settle();
    expect(embedder.signals[0]?.aborted).toBe(true);
    expect(embedder.signals.slice(1).some(({ aborted }) => aborted)).toBe(false);
    expect(queries.status().inFlight).toBe(256);
    expect(await queries.embed('too many', within(60_000))).toBe('embedder-paused');
    for (const caller of callers) caller.abort();
    await Promise.allSettled(waiting);
    await settle();
    expect(queries.status()).toMatchObject({ breaker: 'closed', inFlight: 0 });
  });
});

describe('the breaker of an embedder', () => {
  it('answers at once while open, and what is kept is still given', async () => {
    const embedder = new ScriptedEmbedder();
    const { queries } = makeQueryEmbedder(embedder);
    await queries.embed(query, within(1_000));
    await trip(embedder, queries);
    embedder.answer = right;
    expect(await queries.embed('another', within(1_000))).toBe('embedder-paused');
    expect(await queries.embed(query, within(1_000))).toMatchObject({ cached: true });
    expect(embedder.asked).toHaveLength(11);
  });

  it('lets a lookup start a probe that nobody waits for, and closes when it is answered', async () => {
    const embedder = new ScriptedEmbedder();
    const { queries, clock } = makeQueryEmbedder(embedder);
    await trip(embedder, queries);
    const { answer, open } = gate();
    embedder.answer = answer;
    clock.ms += 2_000;
    const began = performance.now();
    expect(await queries.embed('probe', within(60_000))).toBe('embedder-paused');
    expect(await queries.embed('probe', within(60_000))).toBe('embedder-paused');
    expect(await queries.embed('other', within(60_000))).toBe('embedder-paused');
    expect(performance.now() - began).toBeLessThan(10_000);
    await settle();
    expect(embedder.asked.slice(10)).toEqual(['probe']);
    expect(queries.status()).toMatchObject({ breaker: 'probing', inFlight: 1 });
    open();
    await settle();
    expect(queries.status().breaker).toBe('closed');
    expect(await queries.embed('probe', within(1_000))).toMatchObject({ cached: true });
    embedder.answer = right;
    expect(await queries.embed('other', within(1_000))).toMatchObject({ cached: false });
  });

  it('stays open when the probe is late', async () => {
    const embedder = new ScriptedEmbedder();
    const { queries, clock } = makeQueryEmbedder(embedder, { deadlineMs: 20 });
    await trip(embedder, queries);
    embedder.answer = after(100);
    clock.ms += 2_000;
    expect(await queries.embed('probe', within(20))).toBe('embedder-paused');
    await expect.poll(() => queries.status().breaker).toBe('open');
    clock.ms += 3_999;
    expect(await queries.embed('again', within(20))).toBe('embedder-paused');
    expect(queries.status().breaker).toBe('open');
  });

  it('opens for calls that are late, judged by the deadline of the base, not by that of one lookup', async () => {
    const embedder = new ScriptedEmbedder(after(15));
    const { queries } = makeQueryEmbedder(embedder, { deadlineMs: 5_000 });
    for (let times = 0; times < 15; times++)
      expect(await queries.embed(`hurried ${times}`, within(1))).toBe('embedder-slow');
    await expect.poll(() => queries.status().inFlight).toBe(0);
    expect(queries.status()).toMatchObject({ breaker: 'closed', late: 0, cached: 15 });
    const slow = makeQueryEmbedder(new ScriptedEmbedder(hang), { deadlineMs: 10 }).queries;
    await Promise.all(Array.from({ length: 10 }, (_, at) => slow.embed(`slow ${at}`, within(10))));
    await expect.poll(() => slow.status()).toMatchObject({ breaker: 'open', late: 10 });
  });
});

describe('closing', () => {
  it('breaks off what nobody waits for, lets the others finish, and closes the embedder', async () => {
    const { answer, open } = gate();
    const embedder = new ScriptedEmbedder(answer);
    const { queries } = makeQueryEmbedder(embedder);
    expect(await queries.embed('left', within(10))).toBe('embedder-slow');
    const waiting = queries.embed(query, within(5_000));
    await settle();
    const closing = queries.close();
    await settle();
    expect(embedder.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(embedder.closed).toBe(0);
    open();
    expect(await waiting).toMatchObject({ cached: false });
    await closing;
    expect(embedder.closed).toBe(1);
    expect(await queries.embed('new', within(1_000))).toBe('embedder-paused');
  });

  it('ends a call with the last lookup that waits for it', async () => {
    const embedder = new ScriptedEmbedder(hang);
    const { queries } = makeQueryEmbedder(embedder);
    const waiting = queries.embed(query, within(50));
    await settle();
    const closing = queries.close();
    await settle();
    expect(embedder.signals[0]?.aborted).toBe(false);
    expect(await waiting).toBe('embedder-slow');
    expect(embedder.signals[0]?.aborted).toBe(true);
    await closing;
  });
});
