import type { VectorFile } from './vector-file.js';
import { blockLength, loadVectorKernel, type VectorKernel } from './vector-kernel.js';
import type { VectorHit } from './vector-search.js';

/** Exact cosine similarities of stored rows to a unit query, computed by the kernel. */
export class RowSimilarity {
  readonly kernel: VectorKernel;
  readonly blocks: number;
  /** Where in the kernel's memory a row comes to, and the first of the bytes that were asked for besides. */
  readonly rowAt: number;
  readonly freeAt: number;
  readonly #file: VectorFile;
  readonly #query: Float32Array;
  readonly #row: Uint8Array;

  /** `besides` says how many bytes are wanted in the kernel's memory for something else. */
  static async over(file: VectorFile, besides = 0): Promise<RowSimilarity> {
    const padded = Math.ceil(file.dimensions / blockLength) * blockLength;
    return new RowSimilarity(file, padded, await loadVectorKernel(padded * 6 + besides));
  }

  private constructor(file: VectorFile, padded: number, kernel: VectorKernel) {
    const { buffer } = kernel.memory;
    this.kernel = kernel;
    this.blocks = padded / blockLength;
    this.rowAt = padded * 4;
    this.freeAt = padded * 6;
    this.#file = file;
    this.#query = new Float32Array(buffer, 0, file.dimensions);
    this.#row = new Uint8Array(buffer, this.rowAt, file.dimensions * 2);
  }

  /** Brings the bytes of a row to where the kernel looks for it. */
  take(row: Uint8Array): void {
    this.#row.set(row);
  }

  of(query: Float32Array, passage: number): number {
    this.#query.set(query);
    return this.#similarity(passage);
  }

  /** Candidates by their similarity, the best `limit` first, equal ones in passage order. */
  rank(query: Float32Array, candidates: readonly number[], limit: number): VectorHit[] {
    this.#query.set(query);
    return candidates
      .filter((passage) => passage < this.#file.rows)
      .map((passage) => ({ passage, similarity: this.#similarity(passage) }))
      .toSorted((a, b) => b.similarity - a.similarity || a.passage - b.passage)
      .slice(0, limit);
  }

  /** A row that is not a vector is like nothing. */
  #similarity(passage: number): number {
    this.take(this.#file.matrix(passage, passage + 1));
    const similarity = this.kernel.similarity(this.rowAt, 0, this.blocks);
    return Number.isFinite(similarity) ? similarity : -1;
  }
}
