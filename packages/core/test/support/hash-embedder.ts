import type { EmbedKind, Embedder } from '../../src/embedder.js';
import { SeededRandom } from './seeded-random.js';

/** What a test may want to be different. */
export type HashEmbedderOptions = Partial<
  Pick<
    Embedder,
    'id' | 'revision' | 'dimensions' | 'weight' | 'maxBatch' | 'maxTokens' | 'languages'
  >
>;

/**
 * An embedder without a model: every word has a direction of its own, and a text is the direction of the sum of
 * its words, so that texts with words in common are similar. The same text gives the same vector everywhere.
 */
export class HashEmbedder implements Embedder {
  readonly id: string;
  readonly revision: string;
  readonly dimensions: number;
  readonly weight: number;
  readonly maxBatch: number;
  readonly maxTokens: number;
  readonly languages: readonly string[];
  /** How many texts each call had. */
  readonly batches: number[] = [];
  readonly #directions = new Map<string, Float32Array>();

  constructor(options: HashEmbedderOptions = {}) {
    this.id = options.id ?? 'hash';
    this.revision = options.revision ?? '1';
    this.dimensions = options.dimensions ?? 64;
    this.weight = options.weight ?? 0.5;
    this.maxBatch = options.maxBatch ?? 16;
    this.maxTokens = options.maxTokens ?? 512;
    this.languages = options.languages ?? ['en'];
  }

  countTokens(text: string): number {
    return words(text).length;
  }

  async embed(
    texts: readonly string[],
    { signal }: { readonly kind: EmbedKind; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    this.batches.push(texts.length);
    return texts.map((text) => this.vector(text));
  }

  vector(text: string): Float32Array {
    const found = words(text);
    const sum = new Float32Array(this.dimensions);
    for (const word of found.length === 0 ? [''] : found)
      this.#direction(word).forEach((value, at) => (sum[at] = (sum[at] ?? 0) + value));
    return unit(sum);
  }

  #direction(word: string): Float32Array {
    const known = this.#directions.get(word);
    if (known) return known;
    const direction = randomDirection(new SeededRandom(hash(word)), this.dimensions);
    this.#directions.set(word, direction);
    return direction;
  }
}

/** A unit vector in any direction. */
export function randomDirection(random: SeededRandom, dimensions: number): Float32Array {
  const steps = 4_096;
  const coin = (): number => (random.below(steps) + 0.5) / steps - 0.5;
  // Sums of a few even numbers are near enough to normal ones.
  return unit(Float32Array.from({ length: dimensions }, () => coin() + coin() + coin() + coin()));
}

export function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / norm);
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function hash(word: string): number {
  let value = 0x811c_9dc5;
  for (const byte of Buffer.from(word)) value = Math.imul(value ^ byte, 0x0100_0193);
  return value;
}
