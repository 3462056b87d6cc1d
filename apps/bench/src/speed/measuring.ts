import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds that `run` took, and what it gave. */
export async function timed<T>(
  run: () => T | Promise<T>,
): Promise<{ readonly ms: number; readonly value: T }> {
  const began = performance.now();
  const value = await run();
  return { ms: performance.now() - began, value };
}

/** Private memory of this process in megabytes, garbage collected first; `NaN` where the system does not tell. */
export async function privateMemory(): Promise<number> {
  globalThis.gc?.();
  // The collector gives pages back a little later, from another thread.
  await setTimeout(200);
  globalThis.gc?.();
  await setTimeout(50);
  try {
    const kilobytes = /^Anonymous:\s+(\d+) kB$/m.exec(
      readFileSync('/proc/self/smaps_rollup', 'utf8'),
    )?.[1];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return (percentile(values, 0.5, Math.floor) + percentile(values, 0.5, Math.ceil)) / 2;
}

/** The value below which that share of the measured values lies; `NaN` where nothing was measured. */
export function percentile(
  values: readonly number[],
  share: number,
  round: (place: number) => number = Math.round,
): number {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  return sorted[round(share * (sorted.length - 1))] ?? Number.NaN;
}
