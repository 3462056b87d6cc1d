import { readdir, readFile } from 'node:fs/promises';

/** What the process holds at a moment. */
export interface Sample {
  /** Seconds since the soak began. */
  readonly at: number;
  /** Megabytes. */
  readonly rss: number;
  readonly heap: number;
  /** `NaN` where the system does not tell. */
  readonly files: number;
  readonly mappings: number;
}

/** Sampled after a collection of garbage, where Node was started with `--expose-gc`. */
export async function takeSample(began: number): Promise<Sample> {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const at = (performance.now() - began) / 1000;
  const [files, mappings] = await Promise.all([openFiles(), mappedRanges()]);
  return { at, rss: rss / 1024 / 1024, heap: heapUsed / 1024 / 1024, files, mappings };
}

/** Slope of the least-squares line through what `value` gives of each sample, a second. */
export function slope(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const count = samples.length;
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / count;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(value)];
  const spread = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  const together = samples.reduce(
    (sum, sample) => sum + (sample.at - meanAt) * (value(sample) - meanValue),
    0,
  );
  return together / spread;
}

async function openFiles(): Promise<number> {
  const names = await readdir('/proc/self/fd').catch(() => undefined);
  return names?.length ?? Number.NaN;
}

async function mappedRanges(): Promise<number> {
  const maps = await readFile('/proc/self/maps', 'utf8').catch(() => undefined);
  return maps?.split('\n').length ?? Number.NaN;
}
