/** A passage and the cosine similarity of its vector to a query. */
export interface VectorHit {
  readonly passage: number;
  readonly similarity: number;
}

/** Which code finds the nearest vectors: usearch, or our scan where usearch has no native build. */
export type VectorEngine = 'native' | 'wasm';

/** The vectors of one generation. Queries are unit vectors of the file's dimensions. */
export interface VectorSearch {
  readonly engine: VectorEngine;
  readonly rows: number;
  readonly dimensions: number;
  /** Up to `limit` passages, nearest first, equal ones in passage order; similarities are exact for the stored vectors. */
  nearest(query: Float32Array, limit: number): VectorHit[];
  /** Exact similarity of one passage. */
  similarity(query: Float32Array, passage: number): number;
  close(): Promise<void>;
}
