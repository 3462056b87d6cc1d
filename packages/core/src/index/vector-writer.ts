import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KnowledgeError } from '../errors.js';
import { eventLoopTurns } from '../event-loop-turns.js';
import { saveGraph } from './graph-thread.js';
import { type Usearch, loadUsearch, nativeSettings } from './usearch.js';

/** The vector file's bytes: one thread and one `add`, so that the same vectors give the same bytes. */
export async function writeVectors(
  vectors: readonly Float32Array[],
  dimensions: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const usearch = await loadUsearch();
  if (usearch) return save(usearch, vectors, dimensions, signal);
  const message =
    'vectors cannot be baked here: usearch has no native build for this system. Bake on Linux with glibc, or on macOS.';
  throw new KnowledgeError({ code: 'index-unwritable', message });
}

async function save(
  usearch: Usearch,
  vectors: readonly Float32Array[],
  dimensions: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const settings = nativeSettings(usearch, dimensions, 64);
  const matrix = new Float32Array(vectors.length * dimensions);
  const keys = new BigUint64Array(vectors.length);
  const turn = eventLoopTurns();
  for (const [at, vector] of vectors.entries()) {
    matrix.set(vector, at * dimensions);
    keys[at] = BigInt(at);
    await turn();
  }
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-'));
  const path = join(folder, 'vectors');
  try {
    if (vectors.length > 0) await saveGraph({ settings, keys, matrix, path }, signal);
    else new usearch.Index(settings).save(path);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
