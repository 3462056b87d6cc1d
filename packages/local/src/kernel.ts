import type { ModelFiles } from './model-file.js';
import type { LinearLayout } from './model-layout.js';
import { Workspace } from './workspace.js';

/** Rows of a tile, the left operand of the kernel's product. */
export const TILE_ROWS = 4;
/** Columns of a panel, its right operand. */
export const PANEL_COLUMNS = 8;

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const PAGE_BYTES = 65_536;

/** What `kernel.wat` exports, and says there. Addresses and strides are in bytes, counts in elements. */
export interface KernelFunctions {
  readonly widen: (from: number, to: number, count: number) => void;
  readonly interleave: (
    from: number,
    stride: number,
    rows: number,
    depth: number,
    group: number,
    to: number,
  ) => void;
  readonly multiply: (
    tiles: number,
    tileCount: number,
    depth: number,
    panel: number,
    panelStride: number,
    scales: number,
    biases: number,
    floor: number,
    out: number,
    outStride: number,
  ) => void;
}

/** The WebAssembly memory, with the model at its start and the workspace behind it, and what computes on it. */
export class Kernel {
  readonly functions: KernelFunctions;
  readonly places: Workspace;
  readonly #buffer: ArrayBuffer;

  constructor(files: ModelFiles) {
    this.places = new Workspace(files.weights.byteLength);
    const memory = new WebAssembly.Memory({ initial: Math.ceil(this.places.bytes / PAGE_BYTES) });
    new Uint8Array(memory.buffer).set(files.weights);
    const module = new WebAssembly.Module(files.kernel);
    this.functions = new WebAssembly.Instance(module, { encoder: { memory } }).exports;
    this.#buffer = memory.buffer;
  }

  /** A view of `count` numbers at `address`. */
  floats(address: number, count: number): Float32Array {
    return new Float32Array(this.#buffer, address, count);
  }

  /** A view of `count` small integers at `address`. */
  int8(address: number, count: number): Int8Array {
    return new Int8Array(this.#buffer, address, count);
  }

  /**
   * `to[rows][outputs] = max(floor, from[rows][inputs] × weights + biases)`. The weights are widened a
   * panel at a time: that panel stays in the processor's cache while all rows pass over it.
   */
  linear(
    from: number,
    layout: LinearLayout,
    to: number,
    rows: number,
    floor: number = -Infinity,
  ): void {
    const { inputs, outputs, weights, scales, biases } = layout;
    const { tiles, panel } = this.places;
    const { widen, interleave, multiply } = this.functions;
    const tileCount = Math.ceil(rows / TILE_ROWS);
    const panelStride = PANEL_COLUMNS * FLOAT_BYTES;
    interleave(from, inputs * FLOAT_BYTES, rows, inputs, TILE_ROWS, tiles);
    for (let column = 0; column < outputs; column += PANEL_COLUMNS) {
      const skip = column * FLOAT_BYTES;
      widen(weights + column * inputs, panel, inputs * PANEL_COLUMNS);
      multiply(
        tiles,
        tileCount,
        inputs,
        panel,
        panelStride,
        scales + skip,
        biases + skip,
        floor,
        to + skip,
        outputs * FLOAT_BYTES,
      );
    }
  }
}
