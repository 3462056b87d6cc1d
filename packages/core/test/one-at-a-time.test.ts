import { describe, expect, it, vi } from 'vitest';

import { oneAtATime } from '../src/one-at-a-time.js';

/** Runs that end when they are told to. */
class Runs {
  begun = 0;
  /** The most that ran at once. */
  most = 0;
  #running = 0;
  readonly #ends: ((failure?: Error) => void)[] = [];

  readonly run: () => Promise<void> = async () => {
    this.begun++;
    this.most = Math.max(this.most, ++this.#running);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#ends.push((failure) => (failure ? reject(failure) : resolve()));
      });
    } finally {
      this.#running--;
    }
  };

  /** Ends the run that is under way, once there is one. */
  async end(failure?: Error): Promise<void> {
    await vi.waitUntil(() => this.#ends.length > 0);
    this.#ends.shift()?.(failure);
  }
}

describe('one at a time', () => {
  it('gives calls that come while one runs a further run, one for all of them', async () => {
    const runs = new Runs();
    const call = oneAtATime(runs.run);
    const first = call();
    const later = [call(), call(), call()];
    expect(runs.begun).toBe(1);
    await runs.end();
    await first;
    await expect.poll(() => runs.begun).toBe(2);
    await runs.end();
    await Promise.all(later);
    expect(runs.begun).toBe(2);
  });

  it('never runs twice at once, whenever calls come', async () => {
    const runs = new Runs();
    const call = oneAtATime(runs.run);
    const calls = [call(), call()];
    await runs.end();
    await calls[0];
    calls.push(call(), call());
    await expect.poll(() => runs.begun).toBeGreaterThan(1);
    calls.push(call());
    const ended = Promise.all(calls).then(() => 'ended');
    while ((await Promise.race([ended, runs.end()])) !== 'ended');
    expect(runs.most).toBe(1);
    expect(runs.begun).toBeLessThanOrEqual(4);
  });

  it('tells a failure only to those whose run it was', async () => {
    const runs = new Runs();
    const call = oneAtATime(runs.run);
    const first = call();
    const second = call();
    await runs.end(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await runs.end();
    await second;
  });
});
