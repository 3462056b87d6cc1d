import { createHash } from 'node:crypto';

/** A unit vector that depends on nothing but the text: equal texts, equal vectors, on every machine. */
export function hashVector(text: string, dimensions: number): Float32Array {
  const bytes = createHash('shake256', { outputLength: dimensions * 4 })
    .update(text)
    .digest();
  const values = Array.from({ length: dimensions }, (_, at) => bytes.readInt32LE(at * 4));
  const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(values, (value) => value / norm);
}
