import { readdir } from 'node:fs/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import type { Embedder } from '../../src/embedder.js';
import type { KnowledgeBase } from '../../src/knowledge-base.js';
import type { Logger } from '../../src/logger.js';
import type { Mode } from '../../src/mode.js';
import type { KnowledgeBaseOptions } from '../../src/options.js';
import { HashEmbedder } from '../support/hash-embedder.js';
import { tempFolder } from '../support/temp-folder.js';
import { base, documentsFolder, queries } from './baked-index.js';
import { askVectors, bakeVectors, vectorBase } from './vector-base.js';

const question = 'how many kilograms may a suitcase weigh';
const secret = 'extension 217';

let documents: string;
let indexDir: string;

beforeAll(async () => {
  documents = await documentsFolder('one');
  indexDir = await bakeVectors('one');
});

/** An embedder as programs without types may write them: `answer` is what it gives for the right vectors. */
function embedderThat(answer: (right: Float32Array[], texts: readonly string[]) => unknown) {
  const right = new HashEmbedder();
  const { id, revision, dimensions, weight, maxBatch, maxTokens } = right;
  const embed: unknown = (texts: readonly string[]) =>
    answer(
      texts.map((text) => right.vector(text)),
      texts,
    );
  return untyped({ id, revision, dimensions, weight, maxBatch, maxTokens, embed });
}

const isEmbedder = (given: unknown): given is Embedder => typeof given === 'object';

function untyped(value: unknown): () => Embedder {
  if (!isEmbedder(value)) throw new TypeError('not an embedder');
  return () => value;
}

const failing: Readonly<Record<string, () => Embedder>> = {
  'throws at once': embedderThat((_right, texts) => {
    throw new Error(texts.join());
  }),
  rejects: embedderThat((_right, texts) => Promise.reject(new Error(texts.join()))),
  'rejects with nothing': embedderThat(() => Promise.reject()),
  'gives nothing': embedderThat(async () => undefined),
  'gives too few': embedderThat(async (right) => right.slice(1)),
  'gives too many': embedderThat(async (right) => [...right, ...right]),
  'gives one vector for all': embedderThat(async (right) => right[0]),
  'gives short vectors': embedderThat(async (right) => right.map((vector) => vector.slice(1))),
  'gives long vectors': embedderThat(async (right) =>
    right.map((vector) => Float32Array.from([...vector, ...vector])),
  ),
  'gives NaN': embedderThat(async (right) => right.map((vector) => vector.with(3, Number.NaN))),
  'gives infinities': embedderThat(async (right) =>
    right.map((vector) => vector.with(3, Number.NEGATIVE_INFINITY)),
  ),
  'gives zeros': embedderThat(async (right) => right.map((vector) => vector.fill(0))),
  'gives lists of numbers': embedderThat(async (right) => right.map((vector) => [...vector])),
  'gives bytes': embedderThat(async (right) =>
    right.map((vector) => new Uint8Array(vector.length)),
  ),
  'gives empty places': embedderThat(async (right) => Array.from(right, () => null)),
};

async function started(options: Partial<KnowledgeBaseOptions>): Promise<KnowledgeBase> {
  const knowledge = vectorBase({ indexDir, ...options });
  await knowledge.start();
  return knowledge;
}

describe.concurrent.each(Object.entries(failing))('an embedder that %s', (_what, embed) => {
  it('makes a lookup by meaning unavailable', async () => {
    const knowledge = await started({ mode: 'meaning', embed });
    expect(await knowledge.lookUp(question)).toEqual({ error: 'lookup unavailable' });
    expect(await knowledge.search(question)).toMatchObject({ reason: 'failed', results: [] });
    await knowledge.close();
  });

  it('leaves a hybrid lookup to the keywords, which say so', async () => {
    const knowledge = await started({ embed });
    const plain = base({ indexDir });
    await plain.start();
    for (const query of queries) {
      const { results, degraded } = await knowledge.search(query);
      // After ten failures it is not asked any more.
      expect(['embedder-failed', 'embedder-paused']).toContain(degraded);
      expect(results).toEqual((await plain.search(query)).results);
      expect(await knowledge.lookUp(query)).toEqual(await plain.lookUp(query));
    }
    await Promise.all([knowledge.close(), plain.close()]);
  });

  it('fails the bake without quoting a document, and nothing is written', async () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const logger: Logger = { debug: write, info: write, warn: write, error: write };
    const empty = await tempFolder();
    const error: unknown = await vectorBase({ documents, indexDir: empty, embed, logger })
      .bake()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'embedder-failed', base: 'hotel' });
    expect(String(error)).toContain("embedder 'hash' failed");
    const { message, stack } = error instanceof Error ? error : new Error('no error');
    expect(`${message}${stack ?? ''}${lines.join('')}`).not.toContain(secret);
    expect(await readdir(empty)).toEqual([]);
  });
});

describe('an embedder', () => {
  it('is never given more than maxBatch texts', async () => {
    for (const maxBatch of [1, 7, 1_000]) {
      const embedder = new HashEmbedder({ maxBatch });
      await bakeVectors('one', { embed: () => embedder });
      expect(Math.max(...embedder.batches)).toBe(Math.min(maxBatch, 63));
      expect(embedder.batches.reduce((sum, count) => sum + count, 0)).toBe(63);
    }
  });

  it('that is never warm holds no start up', async () => {
    const embedder = Object.assign(new HashEmbedder(), {
      warmUp: () => new Promise<never>(() => undefined),
    });
    const knowledge = await started({ embed: () => embedder });
    expect((await knowledge.search(question)).degraded).toBeUndefined();
    await knowledge.close();
  }, 20_000);

  it.each([1e-30, 1e30])('may give vectors %f times as long', async (factor) => {
    const scaled = embedderThat(async (right) =>
      right.map((vector) => vector.map((value) => value * factor)),
    );
    const modes: readonly Mode[] = ['meaning', 'hybrid'];
    for (const mode of modes) {
      const expected = await askVectors(indexDir, queries, { mode });
      expect(await askVectors(indexDir, queries, { mode, embed: scaled })).toEqual(expected);
    }
    expect(await askVectors(await bakeVectors('one', { embed: scaled }), queries)).toEqual(
      await askVectors(indexDir, queries),
    );
  });

  it.each([
    ['nothing', undefined],
    ['no dimensions', { dimensions: 0 }],
    ['too many dimensions', { dimensions: 4_097 }],
    ['half a dimension', { dimensions: 64.5 }],
    ['no batch', { maxBatch: 0 }],
    ['too much weight', { weight: 1.5 }],
    ['no name', { id: '' }],
  ])('that has %s is refused at bake and at start', async (_what, wrong) => {
    const embedder: unknown = wrong && Object.assign(embedderThat((right) => right)(), wrong);
    const embed = (): Embedder => untyped(embedder ?? null)();
    for (const run of [
      () => vectorBase({ documents, indexDir: indexDir + 'x', embed }).bake(),
      () => vectorBase({ indexDir, embed }).start(),
    ])
      await expect(run()).rejects.toMatchObject({ code: 'embedder-failed', base: 'hotel' });
  });
});

describe('a lookup by meaning', () => {
  it.each([Number.NaN, -1, 0, 0.5, 1e9, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'brings a topK of %f into its range',
    async (topK) => {
      const modes: readonly Mode[] = ['meaning', 'hybrid'];
      for (const mode of modes) {
        const knowledge = await started({ mode });
        const { results, status } = await knowledge.search(question, { topK });
        expect(status).toBe('found');
        expect(results.length).toBeLessThanOrEqual(topK > 1 ? 20 : 1);
        await knowledge.close();
      }
    },
  );

  it.each(['', '   ', '\u0000', '?!', 'suitcase '.repeat(5_000), '🧳', '\uD800'])(
    'of an odd query ends in one of the three shapes',
    async (query) => {
      const modes: readonly Mode[] = ['meaning', 'hybrid'];
      for (const mode of modes) {
        const knowledge = await started({ mode });
        const result = await knowledge.lookUp(query);
        expect('results' in result && result.results.length).toBeLessThanOrEqual(3);
        await knowledge.close();
      }
    },
  );
});
