import { attend } from './attention.js';
import { Kernel } from './kernel.js';
import type { ModelFiles } from './model-file.js';
import {
  DIMENSIONS,
  EMBEDDING_WIDTH,
  type LayerLayout,
  MAX_TOKENS,
  modelLayout,
  type NormLayout,
} from './model-layout.js';
import { prepareText, Tokenizer } from './tokenizer.js';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const NORM_EPSILON = 1e-6;

/**
 * The sentence encoder: embeddings of the tokens, two transformer layers, the mean of their rows, and
 * a last layer that makes the vector. One text at a time, on the thread that calls it.
 */
export class Encoder {
  readonly #layout = modelLayout();
  readonly #tokenizer: Tokenizer;
  readonly #kernel: Kernel;

  constructor(files: ModelFiles) {
    this.#tokenizer = new Tokenizer(files.vocabulary);
    this.#kernel = new Kernel(files);
  }

  /**
   * The unit vector of a text. A blank text gives the first axis, (1, 0, 0, …): a vector that no text
   * has, and nearly at a right angle to all that texts do have, so that it is close to none of them.
   */
  encode(text: string): Float32Array<ArrayBuffer> {
    const prepared = prepareText(text);
    const vector = new Float32Array(DIMENSIONS);
    if (prepared === '') {
      vector[0] = 1;
      return vector;
    }
    const tokens = this.#tokenizer.encode(prepared, MAX_TOKENS);
    this.#embed(tokens);
    for (const layer of this.#layout.layers) this.#runLayer(layer, tokens.length);
    vector.set(this.#summarise(tokens.length));
    return normalise(vector);
  }

  /** Fills `rows` with the tokens' embeddings, each with the mark of its place added. */
  #embed(tokens: readonly number[]): void {
    const kernel = this.#kernel;
    const { embeddings, embeddingScales, positions, pieces } = this.#layout;
    const scales = kernel.floats(embeddingScales, pieces);
    for (const [place, token] of tokens.entries()) {
      const offset = place * EMBEDDING_WIDTH * FLOAT_BYTES;
      const row = kernel.floats(kernel.places.rows + offset, EMBEDDING_WIDTH);
      const position = kernel.floats(positions + offset, EMBEDDING_WIDTH);
      const embedding = kernel.int8(embeddings + token * EMBEDDING_WIDTH, EMBEDDING_WIDTH);
      const scale = scales[token] ?? 0;
      for (let index = 0; index < EMBEDDING_WIDTH; index += 1) {
        row[index] = (embedding[index] ?? 0) * scale + (position[index] ?? 0);
      }
    }
  }

  #runLayer(layer: LayerLayout, rows: number): void {
    const kernel = this.#kernel;
    const { places } = kernel;
    this.#normaliseRows(layer.attentionNorm, rows);
    kernel.linear(places.normed, layer.queryKeyValue, places.queryKeyValue, rows);
    attend(kernel, rows, layer.attentionNorm.width);
    kernel.linear(places.attended, layer.merge, places.change, rows);
    if (layer.shortcut !== undefined) {
      // In place: a product copies its left operand before it writes.
      kernel.linear(places.rows, layer.shortcut, places.rows, rows);
    }
    this.#addChange(rows);

    this.#normaliseRows(layer.feedForwardNorm, rows);
    kernel.linear(places.normed, layer.expand, places.hidden, rows, 0);
    kernel.linear(places.hidden, layer.contract, places.change, rows);
    this.#addChange(rows);
  }

  /** `normed = (rows − mean) / deviation × gains + biases`, row by row. */
  #normaliseRows({ width, gains, biases }: NormLayout, rows: number): void {
    const kernel = this.#kernel;
    const gain = kernel.floats(gains, width);
    const bias = kernel.floats(biases, width);
    for (let row = 0; row < rows; row += 1) {
      const offset = row * width * FLOAT_BYTES;
      const from = kernel.floats(kernel.places.rows + offset, width);
      const to = kernel.floats(kernel.places.normed + offset, width);
      let sum = 0;
      for (const value of from) sum += value;
      const mean = sum / width;
      let squares = 0;
      for (const value of from) squares += (value - mean) * (value - mean);
      const factor = 1 / Math.sqrt(squares / width + NORM_EPSILON);
      for (let index = 0; index < width; index += 1) {
        const centred = (from[index] ?? 0) - mean;
        to[index] = centred * factor * (gain[index] ?? 0) + (bias[index] ?? 0);
      }
    }
  }

  #addChange(rows: number): void {
    const { places } = this.#kernel;
    const to = this.#kernel.floats(places.rows, rows * DIMENSIONS);
    const change = this.#kernel.floats(places.change, rows * DIMENSIONS);
    for (let index = 0; index < to.length; index += 1) {
      to[index] = (to[index] ?? 0) + (change[index] ?? 0);
    }
  }

  /** The mean of the rows, through the last layer. */
  #summarise(rows: number): Float32Array {
    const kernel = this.#kernel;
    const { places } = kernel;
    const mean = kernel.floats(places.normed, DIMENSIONS).fill(0);
    const all = kernel.floats(places.rows, rows * DIMENSIONS);
    for (let index = 0; index < all.length; index += 1) {
      const column = index % DIMENSIONS;
      mean[column] = (mean[column] ?? 0) + (all[index] ?? 0) / rows;
    }
    kernel.linear(places.normed, this.#layout.head, places.change, 1);
    return kernel.floats(places.change, DIMENSIONS).map(Math.tanh);
  }
}

function normalise(vector: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const factor = 1 / Math.sqrt(squares);
  return vector.map((value) => value * factor);
}
