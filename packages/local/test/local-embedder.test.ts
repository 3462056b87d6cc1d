import { readFileSync } from 'node:fs';

import { localEmbedder, type LocalEmbedder } from '@cuecard/local';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { dot, norm, only } from './vectors.js';

const embedder = localEmbedder({ threads: 2 });
afterAll(() => embedder.close());

const passages = Array.from({ length: 24 }, () => 'a long passage of many words '.repeat(12));

async function embed(text: string, by: LocalEmbedder = embedder): Promise<Float32Array> {
  return only(await by.embed([text], { kind: 'query' }));
}

describe('what it says of itself', () => {
  it('is an English encoder of 512 dimensions', () => {
    expect(embedder).toMatchObject({
      id: 'use-lite',
      dimensions: 512,
      weight: 0.33,
      maxBatch: 64,
      maxTokens: 128,
      languages: ['en'],
    });
    expect(embedder.revision).toMatch(/^[0-9a-f]{16}$/);
  });

  it('counts the tokens of a text, case and white space making no difference', () => {
    expect(embedder.countTokens('')).toBeLessThanOrEqual(1);
    const count = embedder.countTokens('Is the pool open on Sundays?');
    expect(count).toBeGreaterThan(5);
    expect(embedder.countTokens('  is THE pool\nopen on sundays? ')).toBe(count);
    expect(embedder.countTokens('word '.repeat(3_000))).toBeGreaterThan(2_900);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %d threads', (threads) => {
    expect(() => localEmbedder({ threads })).toThrow(RangeError);
  });
});

describe('vectors', () => {
  it('agree with those of the full-precision model', async () => {
    const file = new URL('fixtures/reference-vectors.json', import.meta.url);
    const references: { text: string; vector: string }[] = JSON.parse(readFileSync(file, 'utf8'));
    const texts = references.map(({ text }) => text);
    const vectors = await embedder.embed(texts, { kind: 'passage' });
    for (const [index, { text, vector }] of references.entries()) {
      const reference = new Float32Array(Uint8Array.from(Buffer.from(vector, 'base64')).buffer);
      const own = vectors[index] ?? new Float32Array();
      expect({ text, agrees: dot(own, reference) > 0.999 }).toEqual({ text, agrees: true });
    }
  });

  it('have length one and a buffer of their own', async () => {
    const vectors = await embedder.embed(['one', 'two', 'three'], { kind: 'passage' });
    expect(new Set(vectors.map(({ buffer }) => buffer)).size).toBe(3);
    for (const vector of vectors) {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(vector.buffer.byteLength).toBe(512 * 4);
      expect(norm(vector)).toBeCloseTo(1, 6);
    }
  });

  it('have the same bytes alone, in a batch, as query or passage, and on any number of threads', async () => {
    const texts = Array.from({ length: 24 }, (_, index) => `room ${index} is on the upper floor`);
    const single = localEmbedder({ threads: 1 });
    const batch = await embedder.embed(texts, { kind: 'passage' });
    expect(await single.embed(texts, { kind: 'passage' })).toEqual(batch);
    expect(await embedder.embed(texts, { kind: 'query' })).toEqual(batch);
    for (const [index, text] of texts.entries()) expect(await embed(text)).toEqual(batch[index]);
    await single.close();
  });

  it('do not depend on the text before', async () => {
    const first = await embed('short');
    await embed('a much longer text that fills more of the rows of the encoder '.repeat(20));
    expect(await embed('short')).toEqual(first);
  });

  it.each([
    ['HOW DO I RESET MY PASSWORD', 'how do i reset my password'],
    ['  two\t\n words\u00a0here ', 'two words here'],
    ['Ｆｕｌｌ Ｗｉｄｔｈ ﬁle', 'full width file'],
  ])('are the same for %j and %j', async (left, right) => {
    expect(await embed(left)).toEqual(await embed(right));
  });

  it.each(['', ' ', '\n\t\u00a0\u3000'])(
    'are the first axis for the blank text %j',
    async (blank) => {
      const vector = await embed(blank);
      expect([vector[0], norm(vector)]).toEqual([1, 1]);
      expect(Math.abs(dot(vector, await embed('how do i reset my password')))).toBeLessThan(0.2);
    },
  );

  it('read the first 128 tokens of a text and no more', async () => {
    const read = 'the '.repeat(128);
    expect(await embed(`${read} dog`)).toEqual(await embed(`${read} invoice`));
    expect(await embed(`dog ${read}`)).not.toEqual(await embed(`invoice ${read}`));
    expect(norm(await embed('The whole of a very long book. '.repeat(3400)))).toBeCloseTo(1, 6);
  });

  it('are valid for any text', async () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    const loneSurrogates = fc.constantFrom('\ud800', 'a\udfff b', '\udc00\ud800');
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText, loneSurrogates), async (text) => {
        const vector = await embed(text);
        expect(vector).toHaveLength(512);
        expect(norm(vector)).toBeCloseTo(1, 6);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['how do i get my money back', 'what is your refund policy', 'where can i park my car'],
    ['is there somewhere to park', 'where can i leave my car', 'how long does shipping take'],
    ['i forgot my password', 'how can i reset my login', 'do you sell gift cards'],
    ['when do you open', 'what are your business hours', 'can i bring my dog'],
    ['the parcel never arrived', 'my order has not been delivered', 'is breakfast included'],
    ['can i pay by card', 'which payment methods do you take', 'is the pool heated'],
  ])('bring %j closer to %j than to %j', async (text, paraphrase, other) => {
    const vector = await embed(text);
    expect(dot(vector, await embed(paraphrase))).toBeGreaterThan(dot(vector, await embed(other)));
  });
});

describe('calls', () => {
  it('keep their texts in order', async () => {
    const texts = Array.from({ length: 64 }, (_, index) => 'very '.repeat(index % 7) + index);
    const vectors = await embedder.embed(texts, { kind: 'passage' });
    for (const index of [0, 1, 6, 31, 63]) {
      expect(vectors[index]).toEqual(await embed(texts[index] ?? ''));
    }
  });

  it('may run at the same time, fifty of them', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `question number ${index}`);
    const answers = await Promise.all(texts.map((text) => embed(text)));
    expect(new Set(answers.map((vector) => vector.join())).size).toBe(50);
    expect(answers[17]).toEqual(await embed('question number 17'));
  });

  it('give nothing for no texts, and refuse more than a batch', async () => {
    expect(await embedder.embed([], { kind: 'passage' })).toEqual([]);
    const tooMany = Array.from({ length: 65 }, String);
    await expect(embedder.embed(tooMany, { kind: 'passage' })).rejects.toThrow(RangeError);
  });

  it('answer a query before the passages that came first', async () => {
    const order: string[] = [];
    const baking = embedder.embed(passages, { kind: 'passage' }).then(() => order.push('passages'));
    await embed('a query').then(() => order.push('query'));
    await baking;
    expect(order).toEqual(['query', 'passages']);
  });
});

describe('aborting', () => {
  it('rejects with the reason, before and during the call', async () => {
    const signal = AbortSignal.abort(new Error('hung up'));
    await expect(embedder.embed(['x'], { kind: 'query', signal })).rejects.toThrow('hung up');

    const controller = new AbortController();
    const call = embedder.embed(passages, { kind: 'passage', signal: controller.signal });
    controller.abort(new Error('hung up later'));
    await expect(call).rejects.toThrow('hung up later');
  });
});

describe('closing', () => {
  it('rejects what is under way, and a later call starts again', async () => {
    const own = localEmbedder({ threads: 1 });
    const before = await embed('again', own);
    const call = own.embed(passages, { kind: 'passage' });
    const [outcome] = await Promise.allSettled([call, own.close()]);
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: new Error('The local embedder was closed.'),
    });
    await own.close();
    expect(await embed('again', own)).toEqual(before);
    await own[Symbol.asyncDispose]();
  });

  it('leaves the threads to the other embedders of the process', async () => {
    const one = localEmbedder();
    const other = localEmbedder();
    await one.warmUp();
    const call = other.embed(['a', 'b', 'c'], { kind: 'passage' });
    await one.close();
    expect(await call).toHaveLength(3);
    await other.close();
  });
});
