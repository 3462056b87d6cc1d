import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KnowledgeError } from '../errors.js';
import { type Usearch, loadUsearch, newNativeIndex } from './usearch.js';

/** The vector file's bytes: one thread and one `add`, so that the same vectors give the same bytes. */
export async function writeVectors(
  vectors: readonly Float32Array[],
  dimensions: number,
): Promise<Buffer> {
  const usearch = await loadUsearch();
  if (usearch) return save(usearch, vectors, dimensions);
  const message =
    'vectors cannot be baked here: usearch has no native build for this system. Bake on Linux with glibc, or on macOS.';
  throw new KnowledgeError({ code: 'index-unwritable', message });
}

async function save(
  usearch: Usearch,
  vectors: readonly Float32Array[],
  dimensions: number,
): Promise<Buffer> {
  const index = newNativeIndex(usearch, dimensions, 64);
  const matrix = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, at) => matrix.set(vector, at * dimensions));
  const keys = BigUint64Array.from(vectors, (_, at) => BigInt(at));
  if (vectors.length > 0) index.add(keys, matrix, 1);
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-'));
  try {
    index.save(join(folder, 'vectors'));
    return await readFile(join(folder, 'vectors'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
