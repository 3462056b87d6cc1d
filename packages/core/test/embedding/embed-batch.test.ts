import { describe, expect, it } from 'vitest';

import { embedBatch } from '../../src/embedding/embed-batch.js';
import { HashEmbedder } from '../support/hash-embedder.js';
import { WatchedEmbedder } from '../support/watched-embedder.js';

const texts = ['a suitcase', 'an umbrella'];
const vectors = texts.map((text) => new HashEmbedder().vector(text));
const broken = new Error('out of order');

function failing(times: number): WatchedEmbedder {
  return new WatchedEmbedder((call) => {
    if (call <= times) throw broken;
  });
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('a batch', () => {
  it('is tried again after a pause that grows', async () => {
    const times: number[] = [];
    const embedder = new WatchedEmbedder((call) => {
      times.push(performance.now());
      if (call <= 2) throw broken;
    });
    expect(await embedBatch(embedder, texts, {})).toHaveLength(2);
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThan(350);
    expect(third - second).toBeGreaterThan(700);
  });

  it('is given up after four tries, with the last failure', async () => {
    const embedder = failing(9);
    await expect(embedBatch(embedder, texts, {})).rejects.toMatchObject({
      code: 'embedder-failed',
      cause: broken,
    });
    expect(embedder.calls).toBe(4);
  });

  it('that gets no answer in time is tried again, and the late try is told to stop', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const embedder = new WatchedEmbedder((call, signal) => {
      signals.push(signal);
      return call === 1 ? never() : undefined;
    });
    const [first] = await embedBatch(embedder, texts, { limitMs: 50 });
    expect(first).toHaveLength(vectors[0]?.length ?? 0);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  });

  it('says that no answer came', async () => {
    const embed = embedBatch(new WatchedEmbedder(never), texts, { limitMs: 50 });
    await expect(embed).rejects.toThrow(
      "embedder 'hash' failed: it gave no answer within 0.05 seconds.",
    );
  });

  it.each([
    ['while the embedder hangs and heeds nothing', never],
    [
      'in a pause',
      () => {
        throw broken;
      },
    ],
  ])('stops at once %s', async (_when, before) => {
    const controller = new AbortController();
    const embedder = new WatchedEmbedder(before);
    const embed = embedBatch(embedder, texts, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 20);
    const began = performance.now();
    await expect(embed).rejects.toThrow('enough');
    expect(performance.now() - began).toBeLessThan(300);
    expect(embedder.calls).toBe(1);
  });

  it('is not begun once it has been stopped', async () => {
    const embedder = new WatchedEmbedder();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(embedBatch(embedder, texts, { signal })).rejects.toThrow('enough');
    expect(embedder.calls).toBe(0);
  });
});
