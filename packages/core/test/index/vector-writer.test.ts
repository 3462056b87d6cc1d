import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { loadUsearch, nativeSettings } from '../../src/index/usearch.js';
import { writeVectors } from '../../src/index/vector-writer.js';
import { randomDirection } from '../support/hash-embedder.js';
import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';

const dimensions = 128;

function randomVectors(count: number): Float32Array[] {
  const random = new SeededRandom(count);
  return Array.from({ length: count }, () => randomDirection(random, dimensions));
}

/** The file of one `add` of all vectors, by one thread. */
async function addedAtOnce(vectors: readonly Float32Array[]): Promise<Buffer> {
  const usearch = await loadUsearch();
  if (!usearch) throw new Error('no native build');
  const index = new usearch.Index(nativeSettings(usearch, dimensions, 64));
  const matrix = Float32Array.from(vectors.flatMap((vector) => [...vector]));
  if (vectors.length > 0)
    index.add(
      BigUint64Array.from(vectors, (_, at) => BigInt(at)),
      matrix,
      1,
    );
  const path = join(await tempFolder(), 'vectors');
  index.save(path);
  return readFile(path);
}

it.each([0, 1, 2, 63, 1_500])('writes the bytes of one add of %i vectors', async (count) => {
  const vectors = randomVectors(count);
  const bytes = await writeVectors(vectors, dimensions);
  expect(bytes.equals(await addedAtOnce(vectors))).toBe(true);
  expect(bytes.equals(await writeVectors(vectors, dimensions))).toBe(true);
});

it('lets timers have their turn while the graph is built', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const began = performance.now();
  await writeVectors(randomVectors(4_000), dimensions);
  const took = performance.now() - began;
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(took / 100);
});

it('leaves the vectors as they were', async () => {
  const vectors = randomVectors(20);
  await writeVectors(vectors, dimensions);
  expect(vectors).toEqual(randomVectors(20));
});

it('ends with its signal, while the graph is built and before', async () => {
  const vectors = randomVectors(4_000);
  for (const afterMs of [0, 60]) {
    const controller = new AbortController();
    const written = writeVectors(vectors, dimensions, controller.signal);
    setTimeout(() => controller.abort(new Error('stopped')), afterMs);
    await expect(written).rejects.toThrow('stopped');
  }
});
