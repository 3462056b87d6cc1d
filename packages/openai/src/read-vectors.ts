import { isRecord } from './is-record.js';

/**
 * The vectors of an answer, in the order of the texts and of unit norm. Servers that do not know base64
 * send plain arrays. Throws on any other shape, without quoting the answer.
 */
export function readVectors(answer: unknown, count: number, dimensions: number): Float32Array[] {
  const data = isRecord(answer) ? answer['data'] : undefined;
  if (!Array.isArray(data)) throw invalid('it holds no list of vectors');
  const items: readonly unknown[] = data;
  if (items.length !== count) throw invalid(`${items.length} vectors for ${count} texts`);
  const vectors = new Map<unknown, Float32Array>();
  for (const item of items) {
    if (!isRecord(item)) throw invalid('an entry is not an object');
    vectors.set(item['index'], unitVector(numbersOf(item['embedding']), dimensions));
  }
  return Array.from({ length: count }, (_, at) => {
    const vector = vectors.get(at);
    if (vector === undefined) throw invalid(`no vector has index ${at}`);
    return vector;
  });
}

function numbersOf(embedding: unknown): Float32Array {
  if (typeof embedding === 'string') {
    const bytes = Buffer.from(embedding, 'base64');
    if (bytes.length % 4 !== 0) throw invalid('a vector is cut inside a number');
    return new Float32Array(bytes.length / 4).map((_, at) => bytes.readFloatLE(at * 4));
  }
  if (!Array.isArray(embedding)) throw invalid('a vector is neither base64 nor an array');
  return Float32Array.from(embedding, (value) => (typeof value === 'number' ? value : Number.NaN));
}

function unitVector(numbers: Float32Array, dimensions: number): Float32Array {
  if (numbers.length !== dimensions) {
    throw invalid(`a vector has ${numbers.length} numbers instead of ${dimensions}`);
  }
  const norm = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(norm) || norm === 0) throw invalid('a vector is not finite or all zero');
  return numbers.map((value) => value / norm);
}

function invalid(what: string): Error {
  return new Error(`The embeddings answer is not valid: ${what}.`);
}
