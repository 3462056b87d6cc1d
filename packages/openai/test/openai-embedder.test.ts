import { setTimeout as wait } from 'node:timers/promises';

import { hashVector } from '@cuecard/testing';
import { array, assert, asyncProperty, string } from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { openaiEmbedder } from '../src/index.js';
import { inputOf, key, numbered, passage, start } from './support.js';

describe('what an embedder says of itself', () => {
  it.each([
    ['text-embedding-3-small', 1536],
    ['text-embedding-3-large', 3072],
    ['text-embedding-ada-002', 1536],
  ])('knows how long the vectors of %s are', (model, dimensions) => {
    expect(openaiEmbedder({ model })).toMatchObject({ id: model, dimensions, revision: '1' });
  });

  it('takes text-embedding-3-small, half the trust and the limits of the API by default', () => {
    const embedder = openaiEmbedder();
    expect(embedder).toMatchObject({ id: 'text-embedding-3-small', weight: 0.5 });
    expect(embedder).toMatchObject({ maxBatch: 100, maxTokens: 8191 });
    expect(embedder).not.toHaveProperty('languages');
  });

  it('has another id when its vectors are shortened', () => {
    const embedder = openaiEmbedder({ dimensions: 256, weight: 0.7 });
    expect(embedder).toMatchObject({ id: 'text-embedding-3-small@256', dimensions: 256 });
    expect(embedder.weight).toBe(0.7);
  });

  it('does not show the key it was given', () => {
    const embedder = openaiEmbedder({ apiKey: key });
    expect(JSON.stringify(embedder)).not.toContain(key);
    expect(Object.values(embedder)).not.toContain(key);
  });

  it.each([
    [{ model: 'bge-m3' }, "'bge-m3' is not known: pass dimensions"],
    [{ dimensions: 0 }, 'dimensions must be a whole number from 1 to 1536'],
    [{ dimensions: 1537 }, 'dimensions must be a whole number from 1 to 1536'],
    [{ dimensions: 2.5 }, 'dimensions must be a whole number'],
    [{ weight: 1.1 }, 'weight must be from 0 to 1'],
    [{ weight: Number.NaN }, 'weight must be from 0 to 1'],
    [{ maxRetries: -1 }, 'maxRetries must be a whole number'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a whole number'],
    [{ baseURL: 'nonsense' }, 'baseURL is not a URL'],
    [{ client: new OpenAI({ apiKey: key }), apiKey: key }, 'belong to the client given'],
  ])('refuses %j at construction', (options, message) => {
    expect(() => openaiEmbedder(options)).toThrow(message);
  });
});

describe('embedding', () => {
  it('gives a unit vector for each text, in order', async () => {
    const { embedder, server } = await start();
    const texts = ['two bags', 'one bag', 'two bags'];
    const vectors = await embedder.embed(texts, { kind: 'query' });
    expect(
      distance(
        vectors,
        texts.map((text) => hashVector(text, 1536)),
      ),
    ).toBeLessThan(1e-6);
    expect(server.requests[0]?.body).toMatchObject({ encoding_format: 'base64' });
  });

  it('sends 250 texts in three requests and keeps their order', async () => {
    const { embedder, server } = await start({ dimensions: 8 });
    const texts = numbered(250);
    const vectors = await embedder.embed(texts, passage);
    const sizes = server.requests.map((request) => inputOf(request).length);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([50, 100, 100]);
    expect(
      distance(
        vectors,
        texts.map((text) => hashVector(text, 8)),
      ),
    ).toBeLessThan(1e-6);
  });

  it('never sends more bytes at once than the API takes tokens', async () => {
    const { embedder, server } = await start({ dimensions: 8 });
    const texts = Array.from({ length: 30 }, (_, at) => `${at} ${'荷物'.repeat(3_500)}`);
    const vectors = await embedder.embed(texts, passage);
    for (const request of server.requests) {
      const bytes = Buffer.byteLength(inputOf(request).join(''));
      expect(bytes).toBeLessThanOrEqual(300_000);
    }
    expect(server.requests.length).toBe(3);
    expect(
      distance(
        vectors,
        texts.map((text) => hashVector(text, 8)),
      ),
    ).toBeLessThan(1e-6);
  });

  it('needs no key for no texts', async () => {
    const { embedder, server } = await start({ apiKey: '' });
    expect(await embedder.embed([], passage)).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('sorts the vectors of a server that answers out of order', async () => {
    const { embedder, server } = await start({ dimensions: 8 });
    server.fault({ kind: 'out-of-order' }, { times: 2 });
    const texts = numbered(150);
    const vectors = await embedder.embed(texts, passage);
    expect(
      distance(
        vectors,
        texts.map((text) => hashVector(text, 8)),
      ),
    ).toBeLessThan(1e-6);
  });

  it('sends a space in place of an empty text, which the API refuses', async () => {
    const { embedder, server } = await start({ dimensions: 8 });
    const vectors = await embedder.embed(['', 'a bag', ''], passage);
    expect(inputOf(server.requests[0])).toEqual([' ', 'a bag', ' ']);
    expect(
      distance(
        vectors,
        [' ', 'a bag', ' '].map((text) => hashVector(text, 8)),
      ),
    ).toBeLessThan(1e-6);
  });

  it('sends half a surrogate pair as the replacement character', async () => {
    const { embedder, server } = await start({ dimensions: 8 });
    await embedder.embed(['cut \uD83E'], passage);
    expect(inputOf(server.requests[0])).toEqual(['cut \uFFFD']);
  });

  it('embeds any text in any script', async () => {
    const { embedder, server } = await start({ dimensions: 8 });
    const text = string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    await assert(
      asyncProperty(array(text, { minLength: 1, maxLength: 8 }), async (texts) => {
        const vectors = await embedder.embed(texts, passage);
        expect(inputOf(server.requests.at(-1))).toEqual(texts);
        expect(
          distance(
            vectors,
            texts.map((sent) => hashVector(sent, 8)),
          ),
        ).toBeLessThan(1e-6);
      }),
      { numRuns: 50 },
    );
  });

  it('asks for the length of the vectors only when it was given one', async () => {
    const short = await start({ model: 'text-embedding-3-large', dimensions: 64 });
    const [vector] = await short.embedder.embed(['a bag'], passage);
    expect(vector).toHaveLength(64);
    expect(short.server.requests[0]?.body).toMatchObject({ dimensions: 64 });
    const full = await start({ model: 'text-embedding-3-large' });
    const [long] = await full.embedder.embed(['a bag'], passage);
    expect(long).toHaveLength(3072);
    expect(full.server.requests[0]?.body).not.toHaveProperty('dimensions');
  });

  it('brings vectors to unit length', async () => {
    const { embedder } = await start({ dimensions: 2 }, { vector: () => [3, -4] });
    const [vector] = await embedder.embed(['a bag'], passage);
    expect(distance([vector], [Float32Array.of(0.6, -0.8)])).toBeLessThan(1e-6);
  });

  it('has at most four requests open at once', async () => {
    const { embedder, server } = await start({ dimensions: 8 });
    const settled = server.arrived(4).then(() => wait(50));
    server.fault({ kind: 'hold', until: settled }, { times: 5 });
    await embedder.embed(numbered(1_200), passage);
    expect(server.requests).toHaveLength(12);
    expect(server.mostAtOnce).toBe(4);
  });
});

describe('the client', () => {
  it.each(['/v1', '/v1/', '/', ''])(
    'finds the server at an address that ends in "%s"',
    async (end) => {
      const { server } = await start();
      const origin = server.url.slice(0, -'/v1'.length);
      const embedder = openaiEmbedder({ apiKey: key, baseURL: `${origin}${end}` });
      await embedder.embed(['a bag'], passage);
      expect(server.requests[0]).toMatchObject({ path: '/v1/embeddings' });
    },
  );

  it('may be one of your own, with its own settings', async () => {
    const { server } = await start();
    const defaultHeaders = { 'x-desk': 'front' };
    const client = new OpenAI({ apiKey: key, baseURL: server.url, maxRetries: 0, defaultHeaders });
    const embedder = openaiEmbedder({ client });
    await embedder.embed(['a bag'], passage);
    expect(server.requests[0]?.headers).toMatchObject({ 'x-desk': 'front' });
    server.fault({ kind: 'status', status: 500, retryAfterSeconds: 0 });
    await expect(embedder.embed(['a bag'], passage)).rejects.toThrow('status 500');
    expect(server.requests).toHaveLength(2);
  });

  it('may answer with plain arrays', async () => {
    const { server } = await start();
    const real = new OpenAI({ apiKey: key, baseURL: server.url });
    const client = {
      embeddings: {
        create: (body: { model: string; input: string[] }) =>
          real.embeddings.create({ ...body, encoding_format: 'float' }),
      },
    };
    const vectors = await openaiEmbedder({ client }).embed(['a bag'], passage);
    expect(distance(vectors, [hashVector('a bag', 1536)])).toBeLessThan(1e-6);
    expect(server.requests[0]?.body).toMatchObject({ encoding_format: 'float' });
  });

  it('reads the key from the environment when the first text is embedded', async () => {
    const { server } = await start();
    vi.stubEnv('OPENAI_API_KEY', '');
    vi.stubEnv('OPENAI_BASE_URL', server.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const embedder = openaiEmbedder();
    await expect(embedder.embed(['a bag'], passage)).rejects.toThrow('set OPENAI_API_KEY');
    vi.stubEnv('OPENAI_API_KEY', key);
    expect(await embedder.embed(['a bag'], passage)).toHaveLength(1);
  });
});

/** The furthest that any number is from what it should be. */
function distance(
  vectors: readonly (Float32Array | undefined)[],
  expected: readonly Float32Array[],
): number {
  if (vectors.length !== expected.length) return Infinity;
  const distances = expected.map((right, at) => {
    const vector = vectors[at];
    if (!(vector instanceof Float32Array) || vector.length !== right.length) return Infinity;
    return Math.max(...right.map((value, place) => Math.abs(value - (vector[place] ?? Infinity))));
  });
  return Math.max(...distances);
}
