import { Allocator, DIMENSIONS, HIDDEN_WIDTH, MAX_TOKENS } from './model-layout.js';

/** Where the encoder keeps what it computes for one text, behind the model: addresses in bytes. */
export class Workspace extends Allocator {
  /** The rows that run through the layers, one a token. [128, 512] */
  readonly rows: number = this.float32(MAX_TOKENS * DIMENSIONS);
  /** The rows as a block of a layer takes them in. [128, 512] */
  readonly normed: number = this.float32(MAX_TOKENS * DIMENSIONS);
  /** What a block adds to the rows. [128, 512] */
  readonly change: number = this.float32(MAX_TOKENS * DIMENSIONS);
  /** Query, key and value of a token, side by side. [128, 1536] */
  readonly queryKeyValue: number = this.float32(MAX_TOKENS * 3 * DIMENSIONS);
  /** What the heads read from the values, side by side. [128, 512] */
  readonly attended: number = this.float32(MAX_TOKENS * DIMENSIONS);
  /** The inner rows of a feed-forward block. [128, 1536] */
  readonly hidden: number = this.float32(MAX_TOKENS * HIDDEN_WIDTH);
  /** A left operand, in tiles. [128, 1536] */
  readonly tiles: number = this.float32(MAX_TOKENS * HIDDEN_WIDTH);
  /** The weights of eight columns. [1536, 8] */
  readonly panel: number = this.float32(HIDDEN_WIDTH * 8);
  /** The keys of one head, in panels. [128, 128] */
  readonly keyPanels: number = this.float32(MAX_TOKENS * 128);
  /** How much each token heeds each other one, in one head. [128, 128] */
  readonly scores: number = this.float32(MAX_TOKENS * MAX_TOKENS);
  /** Scales and biases of a product that has none of its own. [8] each */
  readonly scales: number = this.float32(8);
  readonly biases: number = this.float32(8);
}
