/** Length of a vector, and of the encoder's rows after the first layer. */
export const DIMENSIONS = 512;
/** The most tokens of one text; what follows is not read. */
export const MAX_TOKENS = 128;
/** Length of a token's embedding, and of the rows of the first layer. */
export const EMBEDDING_WIDTH = 256;
/** Length of a row between the two matrices of a feed-forward block. */
export const HIDDEN_WIDTH = 1536;

const PIECES = 8002;
const ALIGNMENT = 16;

/** Hands out aligned places one after another. Offsets are in bytes. */
export class Allocator {
  #next: number;

  constructor(start = 0) {
    this.#next = start;
  }

  get bytes(): number {
    return this.#next;
  }

  int8(count: number): number {
    return this.#take(count);
  }

  float32(count: number): number {
    return this.#take(count * Float32Array.BYTES_PER_ELEMENT);
  }

  #take(bytes: number): number {
    const offset = this.#next;
    this.#next = Math.ceil((offset + bytes) / ALIGNMENT) * ALIGNMENT;
    return offset;
  }
}

/** A matrix and its bias: int8 panels, one f32 scale and one f32 bias a column. */
export interface LinearLayout {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: number;
  readonly scales: number;
  readonly biases: number;
}

/** A layer normalisation: one f32 gain and one f32 bias an element. */
export interface NormLayout {
  readonly width: number;
  readonly gains: number;
  readonly biases: number;
}

/** One transformer layer: self-attention, then a feed-forward block, each behind a normalisation. */
export interface LayerLayout {
  readonly attentionNorm: NormLayout;
  readonly queryKeyValue: LinearLayout;
  readonly merge: LinearLayout;
  /** Widens the rows that go past the attention, where the layer's input is narrower than its output. */
  readonly shortcut: LinearLayout | undefined;
  readonly feedForwardNorm: NormLayout;
  readonly expand: LinearLayout;
  readonly contract: LinearLayout;
}

/** Where each tensor of `weights.bin` lies, in bytes. */
export interface ModelLayout {
  readonly pieces: number;
  /** int8 [pieces, 256]. */
  readonly embeddings: number;
  /** f32 [pieces]. */
  readonly embeddingScales: number;
  /** f32 [128, 256]: what is added to the embedding of the token at that place. */
  readonly positions: number;
  readonly layers: readonly LayerLayout[];
  readonly head: LinearLayout;
  readonly bytes: number;
}

function linear(allocator: Allocator, inputs: number, outputs: number): LinearLayout {
  return {
    inputs,
    outputs,
    weights: allocator.int8(inputs * outputs),
    scales: allocator.float32(outputs),
    biases: allocator.float32(outputs),
  };
}

function norm(allocator: Allocator, width: number): NormLayout {
  return { width, gains: allocator.float32(width), biases: allocator.float32(width) };
}

function layer(allocator: Allocator, width: number): LayerLayout {
  return {
    attentionNorm: norm(allocator, width),
    queryKeyValue: linear(allocator, width, 3 * width),
    merge: linear(allocator, width, DIMENSIONS),
    shortcut: width === DIMENSIONS ? undefined : linear(allocator, width, DIMENSIONS),
    feedForwardNorm: norm(allocator, DIMENSIONS),
    expand: linear(allocator, DIMENSIONS, HIDDEN_WIDTH),
    contract: linear(allocator, HIDDEN_WIDTH, DIMENSIONS),
  };
}

/** The one layout of `weights.bin`: the build writes it, the encoder reads it. */
export function modelLayout(): ModelLayout {
  const allocator = new Allocator();
  return {
    pieces: PIECES,
    embeddings: allocator.int8(PIECES * EMBEDDING_WIDTH),
    embeddingScales: allocator.float32(PIECES),
    positions: allocator.float32(MAX_TOKENS * EMBEDDING_WIDTH),
    layers: [layer(allocator, EMBEDDING_WIDTH), layer(allocator, DIMENSIONS)],
    head: linear(allocator, DIMENSIONS, DIMENSIONS),
    bytes: allocator.bytes,
  };
}
