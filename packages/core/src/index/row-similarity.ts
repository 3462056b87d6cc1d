import type { VectorFile } from './vector-file.js';
import type { VectorHit } from './vector-search.js';

/** Cosine similarity of a stored row to a unit query; a row that is not a vector is like nothing. */
export function rowSimilarity(row: Float32Array, query: Float32Array): number {
  let dot = 0;
  let square = 0;
  for (let at = 0; at < row.length; at++) {
    const value = row[at] ?? 0;
    dot += value * (query[at] ?? 0);
    square += value * value;
  }
  const similarity = dot / Math.sqrt(square);
  return Number.isFinite(similarity) ? similarity : -1;
}

/** Candidates by their exact similarity, the best `limit` first, equal ones in passage order. */
export function rankRows(
  file: VectorFile,
  query: Float32Array,
  candidates: readonly number[],
  limit: number,
): VectorHit[] {
  return candidates
    .filter((passage) => passage < file.rows)
    .map((passage) => ({ passage, similarity: rowSimilarity(file.row(passage), query) }))
    .toSorted((a, b) => b.similarity - a.similarity || a.passage - b.passage)
    .slice(0, limit);
}
