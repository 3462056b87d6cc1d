import { rankRows, rowSimilarity } from './row-similarity.js';
import type { VectorFile } from './vector-file.js';
import type { VectorHit, VectorSearch } from './vector-search.js';

/** `hamming.wat`, assembled; a test compares the two. */
export const hammingModule: string =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAAQcRAgZtZW1vcnkCAARzY2FuAAAKkwEBkAECAn8BewJAA0AgAEUNAf' +
  '0MAAAAAAAAAAAAAAAAAAAAACEHIAEhBSACIQYDQCAHIAb9AAQAIAP9AAQA/VH9Yv19/X/9rgEhByAGQRBqIQYgA0EQ' +
  'aiEDIAVBAWshBSAFDQALIAQgB/0bACAH/RsBaiAH/RsCIAf9GwNqajsBACAEQQJqIQQgAEEBayEADAALCws=';

/** Enough of the nearest by sign bits to hold the nearest by angle; measured at 99.5 % of the exact nearest three and above. */
const fewestCandidates = 400;
const pageSize = 65_536;
const rowsAtOnce = 1_024;

/**
 * Nearest vectors without native code: rows are compared by the signs of their components, sixteen
 * bytes at a time, and the best are ranked by their exact similarity from the file.
 */
export async function openWasmVectors(file: VectorFile): Promise<VectorSearch> {
  const { rows, dimensions } = file;
  const blocks = Math.ceil(dimensions / 128);
  const stride = blocks * 16;
  const matrixAt = stride;
  const distancesAt = matrixAt + rows * stride;
  const { memory, scan } = await instantiate(distancesAt + rows * 2);
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const to = Math.min(rows, from + rowsAtOnce);
    const matrix = file.matrix(from, to);
    for (let row = from; row < to; row++) {
      const signs = new Uint8Array(memory.buffer, matrixAt + row * stride, stride);
      for (let at = 0; at < dimensions; at++) {
        const high = matrix[((row - from) * dimensions + at) * 2 + 1] ?? 0;
        if (high & 0x80) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7));
      }
    }
  }
  const nearest = (query: Float32Array, limit: number): VectorHit[] => {
    const signs = new Uint8Array(memory.buffer, 0, stride);
    signs.fill(0);
    query.forEach((value, at) => {
      if (value < 0) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7));
    });
    scan(rows, blocks, 0, matrixAt, distancesAt);
    const distances = new Uint16Array(memory.buffer, distancesAt, rows);
    return rankRows(
      file,
      query,
      closest(distances, dimensions, Math.max(fewestCandidates, limit * 4)),
      limit,
    );
  };
  return {
    engine: 'wasm',
    rows,
    dimensions,
    nearest,
    similarity: (query, passage) => rowSimilarity(file.row(passage), query),
    close: async () => undefined,
  };
}

/** At least `count` rows of the smallest distances, found by counting how many rows have each distance. */
function closest(distances: Uint16Array, dimensions: number, count: number): number[] {
  const having = new Uint32Array(dimensions + 1);
  for (const distance of distances) having[distance] = (having[distance] ?? 0) + 1;
  let limit = 0;
  let total = having[0] ?? 0;
  while (total < count && limit < dimensions) total += having[++limit] ?? 0;
  const rows: number[] = [];
  distances.forEach((distance, row) => {
    if (distance <= limit) rows.push(row);
  });
  return rows;
}

type Scan = (
  rows: number,
  blocks: number,
  query: number,
  matrix: number,
  distances: number,
) => void;

async function instantiate(bytes: number): Promise<{ memory: WebAssembly.Memory; scan: Scan }> {
  const { instance } = await WebAssembly.instantiate(Buffer.from(hammingModule, 'base64'));
  const { memory, scan } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof scan !== 'function')
    throw new TypeError('the vector kernel is damaged');
  memory.grow(Math.ceil(bytes / pageSize));
  return { memory, scan: (...range) => void scan(...range) };
}
