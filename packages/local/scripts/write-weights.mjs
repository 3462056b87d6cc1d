// Converts the source model to the bytes of weights.bin: int8 matrices, everything else as it was.
import { PANEL_COLUMNS } from '../dist/kernel.js';
import { EMBEDDING_WIDTH, MAX_TOKENS, modelLayout } from '../dist/model-layout.js';

/** @import { LayerLayout, LinearLayout } from '../dist/model-layout.js' */
/** @import { Tensor, openSourceModel } from './source-model.mjs' */
/** @typedef {ReturnType<typeof openSourceModel>} SourceModel */

const GREATEST = 127;
// The model reads its embeddings at twice their stored size.
const EMBEDDING_GAIN = 2;

/** @param {SourceModel} source */
export function convertWeights(source) {
  const layout = modelLayout();
  const bytes = new ArrayBuffer(layout.bytes);
  writeEmbeddings(bytes, source.embeddings);
  writeFloats(bytes, layout.positions, positions(source.timing));
  for (const [index, layer] of layout.layers.entries()) writeLayer(bytes, source, index, layer);
  writeLinear(bytes, layout.head, source.head, source.headBiases);
  return new Uint8Array(bytes);
}

/**
 * @param {ArrayBuffer} bytes
 * @param {SourceModel} source
 * @param {number} index
 * @param {LayerLayout} layer
 */
function writeLayer(bytes, source, index, layer) {
  /** @param {Parameters<SourceModel['layer']>[1]} name */
  const tensor = (name) => source.layer(index, name);
  const { attentionNorm, feedForwardNorm } = layer;
  writeFloats(bytes, attentionNorm.gains, tensor('attentionGains').values);
  writeFloats(bytes, attentionNorm.biases, tensor('attentionBiases').values);
  writeFloats(bytes, feedForwardNorm.gains, tensor('feedForwardGains').values);
  writeFloats(bytes, feedForwardNorm.biases, tensor('feedForwardBiases').values);
  for (const name of /** @type {const} */ (['queryKeyValue', 'merge', 'expand', 'contract'])) {
    writeLinear(bytes, layer[name], tensor(name), tensor(`${name}Biases`));
  }
  if (layer.shortcut !== undefined) {
    writeLinear(bytes, layer.shortcut, tensor('shortcut'), tensor('shortcutBiases'));
  }
}

/**
 * One scale a row, as a row is read by itself.
 * @param {ArrayBuffer} bytes
 * @param {Tensor} tensor
 */
function writeEmbeddings(bytes, tensor) {
  const layout = modelLayout();
  expectShape(tensor, [layout.pieces, EMBEDDING_WIDTH]);
  const target = new Int8Array(bytes, layout.embeddings, layout.pieces * EMBEDDING_WIDTH);
  const scales = new Float32Array(bytes, layout.embeddingScales, layout.pieces);
  for (let row = 0; row < layout.pieces; row += 1) {
    const start = row * EMBEDDING_WIDTH;
    const values = tensor.values.subarray(start, start + EMBEDDING_WIDTH);
    const scale = scaleOf(values);
    scales[row] = scale * EMBEDDING_GAIN;
    target.set(
      values.map((value) => quantise(value, scale)),
      start,
    );
  }
}

/**
 * One scale a column, in the kernel's panels.
 * @param {ArrayBuffer} bytes
 * @param {LinearLayout} layout
 * @param {Tensor} tensor
 * @param {Tensor} biases
 */
function writeLinear(bytes, layout, tensor, biases) {
  const { inputs, outputs } = layout;
  expectShape(tensor, [inputs, outputs]);
  expectShape(biases, [outputs]);
  const target = new Int8Array(bytes, layout.weights, inputs * outputs);
  const scales = new Float32Array(bytes, layout.scales, outputs);
  for (let column = 0; column < outputs; column += 1) {
    const values = Float32Array.from(
      { length: inputs },
      (_, row) => tensor.values[row * outputs + column] ?? 0,
    );
    const scale = scaleOf(values);
    scales[column] = scale;
    const within = column % PANEL_COLUMNS;
    const panel = (column - within) * inputs;
    for (const [row, value] of values.entries()) {
      target[panel + row * PANEL_COLUMNS + within] = quantise(value, scale);
    }
  }
  writeFloats(bytes, layout.biases, biases.values);
}

/**
 * The sines and cosines that mark a token's place, computed here once and for every processor.
 * @param {Tensor} timing the frequencies
 */
function positions(timing) {
  const half = EMBEDDING_WIDTH / 2;
  expectShape(timing, [half]);
  const values = new Float32Array(MAX_TOKENS * EMBEDDING_WIDTH);
  for (let place = 0; place < MAX_TOKENS; place += 1) {
    for (const [index, frequency] of timing.values.entries()) {
      values[place * EMBEDDING_WIDTH + index] = Math.sin(place * frequency);
      values[place * EMBEDDING_WIDTH + half + index] = Math.cos(place * frequency);
    }
  }
  return values;
}

/**
 * @param {ArrayBuffer} bytes
 * @param {number} offset
 * @param {Float32Array} values
 */
function writeFloats(bytes, offset, values) {
  new Float32Array(bytes, offset, values.length).set(values);
}

/** @param {Float32Array} values */
function scaleOf(values) {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / GREATEST;
}

/**
 * @param {number} value
 * @param {number} scale
 */
function quantise(value, scale) {
  return scale === 0 ? 0 : Math.round(value / scale);
}

/**
 * @param {Tensor} tensor
 * @param {number[]} shape
 */
function expectShape(tensor, shape) {
  const found = tensor.shape.join(' × ');
  const expected = shape.join(' × ');
  if (found !== expected) {
    throw new Error(`A tensor of the source model is ${found}, not ${expected}.`);
  }
}
