import { pick, seededRandom } from '../random.js';

/** Unit vectors of one length, and questions that are near to some of them. */
export interface VectorSet {
  readonly dimensions: number;
  readonly rows: readonly Float32Array[];
  readonly questions: readonly Float32Array[];
}

const seeds = { shape: 31, rows: 37, questions: 41 } as const;
const centreCount = 8;
/** Directions in which vectors differ: some of them each, so that neighbours are hard to tell apart, as real ones are. */
const directionCount = 400;
const directionsOfOne = 40;
const spread = 0.3;
const noise = 0.3;

/** Vectors around seeded centres; the same for the same numbers, whatever else is asked for. */
export function clusteredVectors(dimensions: number, rows: number, questions: number): VectorSet {
  const random = seededRandom(seeds.shape);
  const many = (count: number): Float32Array[] =>
    Array.from({ length: count }, () => unit(cloud(dimensions, 1, random)));
  const [centres, directions] = [many(centreCount), many(directionCount)];
  const draw = (seed: number, count: number): Float32Array[] => {
    const next = seededRandom(seed);
    return Array.from({ length: count }, () => {
      const vector = cloud(dimensions, noise, next);
      add(vector, pick(centres, next), 1);
      for (let at = 0; at < directionsOfOne; at++)
        add(vector, pick(directions, next), spread * (2 * next() - 1));
      return unit(vector);
    });
  };
  return { dimensions, rows: draw(seeds.rows, rows), questions: draw(seeds.questions, questions) };
}

/** A random vector of about that length. */
function cloud(dimensions: number, length: number, random: () => number): Float32Array {
  const scale = length / Math.sqrt(dimensions / 12);
  return Float32Array.from({ length: dimensions }, () => (random() - 0.5) * scale);
}

function add(vector: Float32Array, other: Float32Array, times: number): void {
  for (let at = 0; at < vector.length; at++)
    vector[at] = (vector[at] ?? 0) + times * (other[at] ?? 0);
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
