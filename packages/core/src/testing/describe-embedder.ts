import { describe, expect, it } from 'vitest';

import type { Embedder } from '../embedder.js';

/** What `describeEmbedder` may expect. */
export interface EmbedderSuiteOptions {
  /** Whether the same text always gives the same vector, to the bit. Default `true`; remote models may differ a little. */
  readonly exact?: boolean;
}

const texts: readonly string[] = [
  'How long does a refund take?',
  'A refund takes five working days.',
  'The pool opens at nine in the morning.',
];

/** The conformance suite of the {@link Embedder} contract, for vitest: run it on every implementation. */
export function describeEmbedder(
  name: string,
  make: () => Embedder | Promise<Embedder>,
  { exact = true }: EmbedderSuiteOptions = {},
): void {
  describe(`${name} as an Embedder`, () => {
    it('says what it is', async () => {
      const embedder = await make();
      expect(embedder.id).not.toBe('');
      expect(embedder.revision).toBeTypeOf('string');
      for (const count of [embedder.dimensions, embedder.maxBatch, embedder.maxTokens])
        expect(Number.isSafeInteger(count) && count > 0).toBe(true);
      expect(embedder.weight).toBeGreaterThanOrEqual(0);
      expect(embedder.weight).toBeLessThanOrEqual(1);
    });

    it('gives one unit vector a text, in order, for passages and queries', async () => {
      const embedder = await make();
      for (const kind of ['passage', 'query'] as const) {
        const vectors = await embedder.embed(texts, { kind });
        expect(vectors).toHaveLength(texts.length);
        for (const vector of vectors) {
          expect(vector).toBeInstanceOf(Float32Array);
          expect(vector).toHaveLength(embedder.dimensions);
          expect(dot(vector, vector)).toBeCloseTo(1, 3);
        }
        const alone = await Promise.all(texts.map((text) => embedder.embed([text], { kind })));
        alone.forEach(([vector], at) => expect(dot(vector, vectors[at])).toBeGreaterThan(0.999));
      }
    });

    it('gives the same vector for the same text', async () => {
      const embedder = await make();
      const [[first], [second]] = [
        await embedder.embed([texts[0] ?? ''], { kind: 'query' }),
        await embedder.embed([texts[0] ?? ''], { kind: 'query' }),
      ];
      expect(dot(first, second)).toBeGreaterThan(0.999);
      const same = first?.every((value, at) => value === second?.[at]);
      expect(same || !exact).toBe(true);
    });

    it('takes a whole batch, no text at all, blank texts, long texts and odd characters', async () => {
      const embedder = await make();
      expect(await embedder.embed([], { kind: 'passage' })).toEqual([]);
      const batch = Array.from({ length: embedder.maxBatch }, (_, at) => `Room ${at}`);
      expect(await embedder.embed(batch, { kind: 'passage' })).toHaveLength(batch.length);
      const odd = ['', '   \n', 'a', '🙂', '\ud800', '日本語', 'word '.repeat(3_000)];
      for (const vector of await embedder.embed(odd, { kind: 'passage' }))
        expect(dot(vector, vector)).toBeCloseTo(1, 3);
    });

    it('rejects with the reason of its signal, and works again afterwards', async () => {
      const embedder = await make();
      const reason = new Error('the caller hung up');
      const before = embedder.embed(texts, { kind: 'query', signal: AbortSignal.abort(reason) });
      await expect(before).rejects.toBe(reason);
      const controller = new AbortController();
      const during = embedder.embed(texts, { kind: 'query', signal: controller.signal });
      controller.abort(reason);
      await expect(during).rejects.toBe(reason);
      expect(await embedder.embed(texts, { kind: 'query' })).toHaveLength(texts.length);
    });

    it('is not disturbed by calls at once', async () => {
      const embedder = await make();
      const calls = texts.map((text) => embedder.embed([text], { kind: 'query' }));
      const together = await embedder.embed(texts, { kind: 'query' });
      const apart = await Promise.all(calls);
      apart.forEach(([vector], at) => expect(dot(vector, together[at])).toBeGreaterThan(0.999));
    });
  });
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a && b ? a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) : Number.NaN;
}
