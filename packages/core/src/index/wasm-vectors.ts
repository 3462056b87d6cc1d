import { eventLoopTurns } from '../event-loop-turns.js';
import { RowSimilarity } from './row-similarity.js';
import type { VectorFile } from './vector-file.js';
import { blockLength } from './vector-kernel.js';
import type { VectorHit, VectorSearch } from './vector-search.js';

/** Enough of the nearest by four bits to hold the nearest; measured at 99.5 % of the exact nearest three and above. */
const fewestCandidates = 100;
/** In standard deviations of the components: the distance of 16 levels that is best for a normal distribution. */
const levelDistance = 0.36;
/** The scan tells so many distances apart; half of them are a right angle. */
const distanceCount = 4_096;
const packedBlock = 16;
const largest = 32_767;
const bytesAtOnce = 65_536;

/**
 * Nearest vectors without native code: rows are compared by four bits a component, which are held in
 * memory, and the best are ranked by their exact similarity from the file.
 */
export async function openWasmVectors(file: VectorFile): Promise<VectorSearch> {
  const { rows, dimensions } = file;
  const blocks = Math.ceil(dimensions / blockLength);
  const matrixSize = rows * blocks * packedBlock;
  const querySize = blocks * blockLength * 2;
  const similarities = await RowSimilarity.over(file, querySize + matrixSize + rows * 6);
  const { kernel, freeAt } = similarities;
  const { buffer } = kernel.memory;
  const matrixAt = freeAt + querySize;
  const scalesAt = matrixAt + matrixSize;
  const distancesAt = scalesAt + rows * 4;
  const packedQuery = new Int16Array(buffer, freeAt, dimensions);
  const distances = new Uint16Array(buffer, distancesAt, rows);
  await pack(file, similarities, matrixAt, new Float32Array(buffer, scalesAt, rows));
  return {
    engine: 'wasm',
    rows,
    dimensions,
    nearest(query, limit): VectorHit[] {
      const { middle, unit } = quantize(query, packedQuery);
      kernel.scan(rows, blocks, freeAt, middle, unit, matrixAt, scalesAt, distancesAt);
      const candidates = closest(distances, Math.max(fewestCandidates, limit * 4));
      return similarities.rank(query, candidates, limit);
    },
    similarity: (query, passage) => similarities.of(query, passage),
    close: async () => undefined,
  };
}

/** Packs all rows into the kernel's memory. */
async function pack(
  file: VectorFile,
  similarities: RowSimilarity,
  matrixAt: number,
  scales: Float32Array,
): Promise<void> {
  const { rows, dimensions } = file;
  const { kernel, blocks, rowAt } = similarities;
  const steps = Math.sqrt(dimensions) / levelDistance;
  const rowsAtOnce = Math.ceil(bytesAtOnce / (dimensions * 2));
  const turn = eventLoopTurns();
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const to = Math.min(rows, from + rowsAtOnce);
    const matrix = file.matrix(from, to);
    for (let row = from; row < to; row++) {
      const at = (row - from) * dimensions * 2;
      similarities.take(matrix.subarray(at, at + dimensions * 2));
      scales[row] = kernel.pack(rowAt, blocks, steps, matrixAt + row * blocks * packedBlock);
    }
    await turn();
  }
}

/** Writes the query as the scan takes it, and says what the scan needs to know of it. */
function quantize(
  query: Float32Array,
  packed: Int16Array,
): { readonly middle: number; readonly unit: number } {
  let highest = 0;
  for (const value of query) highest = Math.max(highest, Math.abs(value));
  let sum = 0;
  for (let at = 0; at < query.length; at++) {
    const value = Math.round(((query[at] ?? 0) * largest) / highest);
    packed[at] = value;
    sum += value;
  }
  return { middle: Math.round(7.5 * sum), unit: ((distanceCount / 2) * highest) / largest };
}

/** At least `count` rows of the smallest distances, found by counting how many rows have each distance. */
function closest(distances: Uint16Array, count: number): number[] {
  const having = new Uint32Array(distanceCount);
  for (const distance of distances) having[distance] = (having[distance] ?? 0) + 1;
  let limit = 0;
  let total = having[0] ?? 0;
  while (total < count && limit < distanceCount - 1) total += having[++limit] ?? 0;
  const rows: number[] = [];
  for (let row = 0; row < distances.length; row++)
    if ((distances[row] ?? 0) <= limit) rows.push(row);
  return rows;
}
