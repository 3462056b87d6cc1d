import { fstatSync, openSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Artefact } from './artefact.js';
import { corrupt } from './index-error.js';
import { ownCopy } from './own-copy.js';
import { RowSimilarity } from './row-similarity.js';
import { type NativeIndex, type Usearch, nativeSettings } from './usearch.js';
import { type VectorFile, vectorsFile } from './vector-file.js';
import type { VectorSearch } from './vector-search.js';
import { writeVectors } from './vector-writer.js';

/** How far a search looks around: less, and fewer than 99.5 % of the exact nearest three are found in some bases. */
const widths = { few: 256, many: 768 } as const;
const manyRows = 20_000;
/** usearch's distances are sums in another order and precision than ours: what is this close may be equal. */
const rounding = 1e-3;

/** usearch over a vector file that has been checked; the file is mapped, and shared by all processes that map it. */
export async function openNativeVectors(
  usearch: Usearch,
  file: VectorFile,
  artefact: Artefact,
  sha256: string,
): Promise<VectorSearch> {
  const width = file.rows < manyRows ? widths.few : widths.many;
  const index = new usearch.Index(nativeSettings(usearch, file.dimensions, width));
  const similarities = await RowSimilarity.over(file);
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
        Math.min(Math.max(limit, width), file.rows),
        1,
      );
      const farthest = (distances[Math.min(limit, distances.length) - 1] ?? 0) + rounding;
      const near = Array.from(keys, Number).filter((_, at) => (distances[at] ?? 0) <= farthest);
      return similarities.rank(query, near, limit);
    },
    similarity: (query, passage) => similarities.of(query, passage),
    // usearch has no way to give a mapping up but to map something else.
    close: async () => mapBytes(index, await writeVectors([], file.dimensions)),
  };
}

/** usearch maps only files that the user owns; of another user's file it gets a copy. */
async function map(index: NativeIndex, artefact: Artefact, sha256: string): Promise<void> {
  const { path, size } = artefact;
  const owner = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.uid;
  // The name may be gone, since a bake replaced it; the open file is still there.
  if (path === undefined || owner === undefined) return mapBytes(index, artefact.read(0, size));
  if (isForeign(owner)) return mapCopy(index, path, sha256, size);
  try {
    view(index, path);
  } catch (error) {
    if (isNotPermitted(error)) return mapCopy(index, path, sha256, size);
    await mapBytes(index, artefact.read(0, size));
  }
}

function isForeign(owner: number): boolean {
  const user = process.geteuid?.() ?? 0;
  return user !== 0 && user !== owner;
}

/**
 * A view that fails closes descriptor 0, whatever it is (usearch 2.25): so what must fail is not tried, and
 * the number is taken again before a socket gets it, on whose end Node would abort.
 */
function view(index: NativeIndex, path: string): void {
  try {
    index.view(path);
  } catch (error) {
    try {
      fstatSync(0);
    } catch {
      openSync(devNull, 'r');
    }
    throw error;
  }
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
  open(() => (copy === undefined ? index.load(path) : view(index, copy)));
}

/** The mapping outlives the file's name. */
async function mapBytes(index: NativeIndex, bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-'));
  const path = join(folder, 'vectors');
  try {
    await writeFile(path, bytes);
    open(() => view(index, path));
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
