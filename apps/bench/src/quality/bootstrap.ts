import { seededRandom } from '../random.js';

/** A mean difference and the interval that holds 95 % of its resampled values. */
export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const resamples = 10_000;
const seed = 20_250_601;

/** Paired bootstrap: `ours` and `theirs` are the scores of the same questions in the same order. */
export function pairedDifference(ours: readonly number[], theirs: readonly number[]): Difference {
  const differences = Float64Array.from(ours, (score, at) => score - (theirs[at] ?? 0));
  const random = seededRandom(seed);
  const means = new Float64Array(resamples);
  for (let round = 0; round < resamples; round++) {
    let sum = 0;
    for (let drawn = 0; drawn < differences.length; drawn++) {
      sum += differences[Math.floor(random() * differences.length)] ?? 0;
    }
    means[round] = sum / differences.length;
  }
  means.sort();
  const at = (share: number): number => means[Math.floor(share * (resamples - 1))] ?? 0;
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  return { mean, low: at(0.025), high: at(0.975) };
}
