import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Artefact } from './artefact.js';
import { corrupt } from './index-error.js';
import { ownCopy } from './own-copy.js';
import { rankRows, rowSimilarity } from './row-similarity.js';
import { type NativeIndex, type Usearch, newNativeIndex } from './usearch.js';
import { type VectorFile, vectorsFile } from './vector-file.js';
import type { VectorSearch } from './vector-search.js';
import { writeVectors } from './vector-writer.js';

/** How far a search looks around: at 128 fewer than 99.5 % of the exact nearest three are found in some bases. */
const searchWidth = 256;
/** usearch's distances are sums in another order and precision than ours: what is this close may be equal. */
const rounding = 1e-3;

/** usearch over a vector file that has been checked; the file is mapped, and shared by all processes that map it. */
export async function openNativeVectors(
  usearch: Usearch,
  file: VectorFile,
  artefact: Artefact,
  sha256: string,
): Promise<VectorSearch> {
  const index = newNativeIndex(usearch, file.dimensions, searchWidth);
  await map(index, artefact, sha256);
  return {
    engine: 'native',
    rows: file.rows,
    dimensions: file.dimensions,
    nearest(query, limit) {
      if (file.rows === 0) return [];
      // All that the search has looked at comes at no cost, and of equals the first by place are to be taken.
      const { keys, distances } = index.search(
        query,
        Math.min(Math.max(limit, searchWidth), file.rows),
        1,
      );
      const farthest = (distances[Math.min(limit, distances.length) - 1] ?? 0) + rounding;
      const near = Array.from(keys, Number).filter((_, at) => (distances[at] ?? 0) <= farthest);
      return rankRows(file, query, near, limit);
    },
    similarity: (query, passage) => rowSimilarity(file.row(passage), query),
    // usearch has no way to give a mapping up but to map something else.
    close: async () => mapBytes(index, await writeVectors([], file.dimensions)),
  };
}

/** usearch maps only files that the user owns; of another user's file it gets a copy. */
async function map(index: NativeIndex, artefact: Artefact, sha256: string): Promise<void> {
  const { path } = artefact;
  try {
    if (path !== undefined) return index.view(path);
  } catch (error) {
    if (path !== undefined && isNotPermitted(error))
      return mapCopy(index, path, sha256, artefact.size);
    // Its name may be gone, since a bake replaced it; the open file is still there.
  }
  await mapBytes(index, artefact.read(0, artefact.size));
}

async function mapCopy(
  index: NativeIndex,
  path: string,
  sha256: string,
  size: number,
): Promise<void> {
  const copy = await ownCopy(path, sha256, size).catch((error: unknown) => {
    if (error instanceof Error && 'syscall' in error) return undefined;
    throw error;
  });
  // Without room for a copy, as in a container without a writable folder, it is held in memory.
  open(() => (copy === undefined ? index.load(path) : index.view(copy)));
}

/** The mapping outlives the file's name. */
async function mapBytes(index: NativeIndex, bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-'));
  const path = join(folder, 'vectors');
  try {
    await writeFile(path, bytes);
    open(() => index.view(path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function open(how: () => void): void {
  try {
    how();
  } catch (error) {
    throw corrupt(`${vectorsFile} is of another version of usearch`, error);
  }
}

function isNotPermitted(error: unknown): boolean {
  return error instanceof Error && /not permitted/i.test(error.message);
}
