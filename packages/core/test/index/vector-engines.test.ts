import { readFile } from 'node:fs/promises';

import { afterEach, describe, expect, it } from 'vitest';
import wabt from 'wabt';

import { memoryArtefact } from '../../src/index/artefact.js';
import { openVectors } from '../../src/index/open-vectors.js';
import { openVectorFile } from '../../src/index/vector-file.js';
import { kernelModule } from '../../src/index/vector-kernel.js';
import type { VectorEngine, VectorSearch } from '../../src/index/vector-search.js';
import { writeVectors } from '../../src/index/vector-writer.js';
import { randomDirection, unit } from '../support/hash-embedder.js';
import { SeededRandom } from '../support/seeded-random.js';

const engines: readonly VectorEngine[] = ['native', 'wasm'];
const before = process.env['CUECARD_VECTORS'];
const opened: VectorSearch[] = [];

afterEach(async () => {
  if (before === undefined) delete process.env['CUECARD_VECTORS'];
  else process.env['CUECARD_VECTORS'] = before;
  await Promise.all(opened.splice(0).map((search) => search.close()));
});

async function open(engine: VectorEngine, bytes: Buffer, dimensions: number) {
  process.env['CUECARD_VECTORS'] = engine;
  const search = await openVectors(memoryArtefact(bytes), dimensions, '');
  opened.push(search);
  return search;
}

async function searchOver(engine: VectorEngine, vectors: readonly Float32Array[]) {
  const dimensions = vectors[0]?.length ?? 64;
  return open(engine, await writeVectors(vectors, dimensions), dimensions);
}

/** Vectors in clusters, as those of passages are: near one another, and nearer inside a topic. */
function clustered(count: number, dimensions: number, random: SeededRandom): Float32Array[] {
  const mix = (near: Float32Array, share: number): Float32Array => {
    const other = randomDirection(random, dimensions);
    return unit(near.map((value, at) => value + share * (other[at] ?? 0)));
  };
  const middle = randomDirection(random, dimensions);
  const topics = Array.from({ length: 40 }, () => mix(middle, 1.5));
  return Array.from({ length: count }, () => mix(random.pick(topics), 0.8));
}

function passages(search: VectorSearch, query: Float32Array, limit: number): number[] {
  return search.nearest(query, limit).map(({ passage }) => passage);
}

/** The nearest by looking at every stored row. */
function exact(search: VectorSearch, query: Float32Array, limit: number): number[] {
  return Array.from({ length: search.rows }, (_, passage) => ({
    passage,
    similarity: search.similarity(query, passage),
  }))
    .toSorted((a, b) => b.similarity - a.similarity || a.passage - b.passage)
    .slice(0, limit)
    .map(({ passage }) => passage);
}

describe('the two engines', () => {
  it.each([512, 200])(
    'find the same three passages for 99 of 100 queries, and the true ones, in %i dimensions',
    async (dimensions) => {
      const vectors = clustered(2_300, dimensions, new SeededRandom(dimensions));
      const bytes = await writeVectors(vectors.slice(0, 2_000), dimensions);
      const native = await open('native', bytes, dimensions);
      const wasm = await open('wasm', bytes, dimensions);
      expect([native.engine, wasm.engine]).toEqual(engines);
      const queries = vectors.slice(2_000);
      const found = queries.map((query) => ({
        byNative: passages(native, query, 3).join(),
        byWasm: passages(wasm, query, 3).join(),
      }));
      const alike = found.filter(({ byNative, byWasm }) => byNative === byWasm);
      expect(alike.length).toBeGreaterThanOrEqual(0.99 * queries.length);
      const sample = queries.slice(0, 40);
      const right = sample.filter(
        (query, at) => found[at]?.byNative === exact(native, query, 3).join(),
      );
      expect(right.length).toBeGreaterThanOrEqual(0.95 * sample.length);
    },
    30_000,
  );
});

describe.each(engines)('the %s engine', (engine) => {
  it.each([1, 2, 3, 5])('searches %i rows', async (count) => {
    const random = new SeededRandom(count);
    const vectors = Array.from({ length: count }, () => randomDirection(random, 64));
    const search = await searchOver(engine, vectors);
    expect(search.rows).toBe(count);
    for (const [at, vector] of vectors.entries()) {
      for (const limit of [1, 2, 20, 1_000_000]) {
        const hits = search.nearest(vector, limit);
        expect(hits).toHaveLength(Math.min(limit, count));
        expect(hits[0]?.passage).toBe(at);
        expect(hits[0]?.similarity).toBeCloseTo(1, 2);
      }
    }
  });

  it('finds nothing among no rows', async () => {
    const search = await open(engine, await writeVectors([], 64), 64);
    expect(search.nearest(randomDirection(new SeededRandom(1), 64), 3)).toEqual([]);
  });

  it.each([1, 2, 3, 7, 8, 9, 63, 65, 127, 128, 129, 300, 4_096])(
    'searches rows of %i dimensions',
    async (dimensions) => {
      const random = new SeededRandom(dimensions);
      const vectors = Array.from({ length: 50 }, () => randomDirection(random, dimensions));
      const search = await searchOver(engine, vectors);
      const query = randomDirection(random, dimensions);
      expect(passages(search, query, 3)).toEqual(exact(search, query, 3));
    },
  );

  it.each([2, 12, 100])('gives %i equal rows in passage order', async (count) => {
    const random = new SeededRandom(count);
    const same = randomDirection(random, 64);
    const query = unit(same.map((value) => value + 0.02 * (random.below(10) - 5)));
    const others = Array.from({ length: 150 }, () => randomDirection(random, 64));
    const equal = Array.from({ length: count }, (_, at) => 3 + at * 2);
    const vectors = others.slice();
    for (const at of equal) vectors.splice(at, 0, same);
    const search = await searchOver(engine, vectors);
    for (const asked of [same, query]) {
      expect(passages(search, asked, count)).toEqual(equal);
      for (const limit of [1, 2, 5])
        expect(passages(search, asked, limit)).toEqual(exact(search, asked, limit));
    }
  });

  it('says how similar a passage is, from the stored row', async () => {
    const random = new SeededRandom(9);
    const vectors = Array.from({ length: 20 }, () => randomDirection(random, 64));
    const search = await searchOver(engine, vectors);
    const query = randomDirection(random, 64);
    for (const { passage, similarity } of search.nearest(query, 20)) {
      const dot = query.reduce((sum, value, at) => sum + value * (vectors[passage]?.[at] ?? 0), 0);
      expect(similarity).toBeCloseTo(dot, 3);
      expect(search.similarity(query, passage)).toBe(similarity);
    }
  });

  it('reads every finite number that half precision has', async () => {
    const finite = Array.from({ length: 0x1_0000 }, (_, half) => half).filter(
      (half) => (half & 0x7c00) !== 0x7c00,
    );
    const rows = finite.length / 64;
    const random = new SeededRandom(11);
    const vectors = Array.from({ length: rows }, () => randomDirection(random, 64));
    const bytes = await writeVectors(vectors, 64);
    finite.forEach((half, at) => bytes.writeUInt16LE(half, 8 + at * 2));
    const search = await open(engine, bytes, 64);
    const file = await openVectorFile(memoryArtefact(bytes), 64);
    const query = randomDirection(random, 64);
    for (let passage = 0; passage < rows; passage++) {
      const row = file.row(passage);
      const dot = row.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
      expect(search.similarity(query, passage)).toBeCloseTo(dot / Math.hypot(...row), 5);
    }
  });

  it('places rows that are no vectors last', async () => {
    const random = new SeededRandom(10);
    const vectors = Array.from({ length: 10 }, () => randomDirection(random, 64));
    const bytes = await writeVectors(vectors, 64);
    const halves = [0x7e00, 0x7c00, 0xfc00, 0x0000];
    halves.forEach((half, row) => {
      for (let at = 0; at < 64; at++) bytes.writeUInt16LE(half, 8 + row * 128 + at * 2);
    });
    const search = await open(engine, bytes, 64);
    const hits = search.nearest(randomDirection(random, 64), 10);
    expect(hits.slice(6).map(({ similarity }) => similarity)).toEqual([-1, -1, -1, -1]);
    expect(hits.slice(6).map(({ passage }) => passage)).toEqual([0, 1, 2, 3]);
  });
});

describe('the kernel of the vectors', () => {
  it('is what its text form assembles to', async () => {
    const text = await readFile(new URL('../../src/index/vectors.wat', import.meta.url), 'utf8');
    const module = (await wabt()).parseWat('vectors.wat', text, { simd: true });
    const { buffer } = module.toBinary({});
    expect(Buffer.from(buffer).toString('base64')).toBe(kernelModule);
  });
});
