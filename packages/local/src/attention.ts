import { type Kernel, PANEL_COLUMNS, TILE_ROWS } from './kernel.js';
import { MAX_TOKENS } from './model-layout.js';

const HEADS = 4;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Lets each of `rows` tokens read from the values of all: `queryKeyValue` in, `attended` out. */
export function attend(kernel: Kernel, rows: number, width: number): void {
  const headWidth = width / HEADS;
  for (let head = 0; head < HEADS; head += 1) {
    const skip = head * headWidth * FLOAT_BYTES;
    scoreKeys(kernel, rows, width, headWidth, skip);
    for (let row = 0; row < rows; row += 1) {
      softmax(kernel.floats(kernel.places.scores + row * MAX_TOKENS * FLOAT_BYTES, rows));
    }
    readValues(kernel, rows, width, headWidth, skip);
  }
}

/** `scores[row][key] = query · key / √headWidth`, of the head that begins `skip` bytes into a row. */
function scoreKeys(
  kernel: Kernel,
  rows: number,
  width: number,
  headWidth: number,
  skip: number,
): void {
  const { queryKeyValue, tiles, keyPanels, scores, scales, biases } = kernel.places;
  const { interleave, multiply } = kernel.functions;
  const stride = 3 * width * FLOAT_BYTES;
  const queries = queryKeyValue + skip;
  const keys = queryKeyValue + width * FLOAT_BYTES + skip;
  const panelStride = PANEL_COLUMNS * FLOAT_BYTES;
  const tileCount = Math.ceil(rows / TILE_ROWS);
  kernel.floats(scales, PANEL_COLUMNS).fill(1 / Math.sqrt(headWidth));
  interleave(queries, stride, rows, headWidth, TILE_ROWS, tiles);
  interleave(keys, stride, rows, headWidth, PANEL_COLUMNS, keyPanels);
  for (let key = 0; key < rows; key += PANEL_COLUMNS) {
    const panel = keyPanels + key * headWidth * FLOAT_BYTES;
    const out = scores + key * FLOAT_BYTES;
    const outStride = MAX_TOKENS * FLOAT_BYTES;
    multiply(
      tiles,
      tileCount,
      headWidth,
      panel,
      panelStride,
      scales,
      biases,
      -Infinity,
      out,
      outStride,
    );
  }
}

/** `attended[row] = Σ scores[row][key] × value[key]`, of the head that begins `skip` bytes into a row. */
function readValues(
  kernel: Kernel,
  rows: number,
  width: number,
  headWidth: number,
  skip: number,
): void {
  const { queryKeyValue, tiles, scores, attended, scales, biases } = kernel.places;
  const { interleave, multiply } = kernel.functions;
  const stride = 3 * width * FLOAT_BYTES;
  const values = queryKeyValue + 2 * width * FLOAT_BYTES + skip;
  const tileCount = Math.ceil(rows / TILE_ROWS);
  kernel.floats(scales, PANEL_COLUMNS).fill(1);
  interleave(scores, MAX_TOKENS * FLOAT_BYTES, rows, rows, TILE_ROWS, tiles);
  for (let column = 0; column < headWidth; column += PANEL_COLUMNS) {
    const panel = values + column * FLOAT_BYTES;
    const out = attended + skip + column * FLOAT_BYTES;
    const outStride = width * FLOAT_BYTES;
    multiply(tiles, tileCount, rows, panel, stride, scales, biases, -Infinity, out, outStride);
  }
}

/** Turns scores into shares that add up to 1, in place. */
function softmax(scores: Float32Array): void {
  let greatest = -Infinity;
  for (const score of scores) if (score > greatest) greatest = score;
  let total = 0;
  for (let index = 0; index < scores.length; index += 1) {
    const share = Math.exp((scores[index] ?? 0) - greatest);
    scores[index] = share;
    total += share;
  }
  for (let index = 0; index < scores.length; index += 1) {
    scores[index] = (scores[index] ?? 0) / total;
  }
}
