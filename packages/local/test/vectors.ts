/** Helpers for vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

export function norm(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector));
}

/** The first of an answer to a single text. */
export function only(vectors: readonly Float32Array[]): Float32Array {
  const [vector] = vectors;
  if (vector === undefined || vectors.length > 1) throw new Error(`${vectors.length} vectors`);
  return vector;
}
