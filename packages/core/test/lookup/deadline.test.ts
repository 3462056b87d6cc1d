import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { Deadline, late } from '../../src/lookup/deadline.js';

const never = new Promise<never>(() => undefined);

describe('a deadline', () => {
  it('gives the value when it comes in time, however little is left', async () => {
    expect(await new Deadline(1_000).wait(Promise.resolve('value'))).toBe('value');
    expect(await new Deadline(0).wait(Promise.resolve('value'))).toBe('value');
  });

  it('gives `late` when its time has passed, counted from where it was told', async () => {
    const began = performance.now();
    expect(await new Deadline(50).wait(never)).toBe(late);
    expect(performance.now() - began).toBeGreaterThan(40);
    expect(await new Deadline(60_000, undefined, began - 60_000).wait(never)).toBe(late);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('passes a failure on, and swallows one that comes too late', async () => {
    const failure = new Error('no');
    await expect(new Deadline(1_000).wait(Promise.reject(failure))).rejects.toBe(failure);
    const tooLate = new Promise((_resolve, reject) => setTimeout(reject, 20, failure));
    expect(await new Deadline(1).wait(tooLate)).toBe(late);
    await tooLate.catch(() => undefined);
  });

  it('rejects at once when its signal aborts, or has aborted', async () => {
    const caller = new AbortController();
    const reason = new Error('hung up');
    const waiting = new Deadline(60_000, caller.signal).wait(never);
    caller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(new Deadline(60_000, caller.signal).wait(never)).rejects.toBe(reason);
  });

  it('leaves no listener on a signal that is used for many waits', async () => {
    const { signal } = new AbortController();
    await new Deadline(1_000, signal).wait(Promise.resolve());
    await new Deadline(1, signal).wait(never);
    await new Deadline(1_000, signal).wait(Promise.reject(new Error())).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
