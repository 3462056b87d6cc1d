import { decimals, formatTable } from '../table.js';
import type { HybridMeasurement } from './hybrid-engines.js';
import { ours, scan, type NearestMeasurement } from './nearest.js';
import type { ProcessMeasurement } from './processes.js';
import type { SampleMeasurement } from './sample-lookup.js';

/** One index and the processes that opened it. */
export interface IndexProcesses {
  readonly passages: number;
  readonly dimensions: number;
  /** Megabytes of its keyword file, which each process takes into memory. */
  readonly keywords: number;
  readonly measured: readonly ProcessMeasurement[];
}

/** The least share of the exact nearest three. */
const leastRecall = 0.995;
/** The most a further process may take beside the keyword file, in megabytes. */
const mostMemory = 10;

export function formatNearest(measurements: readonly NearestMeasurement[]): string {
  return formatTable(
    ['vectors', 'way', 'length', 'build s', 'open ms', 'recall@3', 'of native', 'p50 µs', 'p99 µs'],
    measurements.map((measured) => [
      String(measured.rows),
      measured.way,
      String(measured.dimensions),
      decimals(measured.buildMs / 1000, 2),
      decimals(measured.openMs, 1),
      decimals(measured.recall, 4),
      decimals(measured.ofNative, 4),
      decimals(measured.p50, 0),
      decimals(measured.p99, 0),
    ]),
  );
}

export function formatHybrid(measurements: readonly HybridMeasurement[]): string {
  return formatTable(
    ['passages', 'library', 'length', 'build s', 'p50 µs', 'p99 µs'],
    measurements.map((measured) => [
      String(measured.passages),
      measured.library,
      String(measured.dimensions),
      decimals(measured.buildMs / 1000, 2),
      decimals(measured.p50, 0),
      decimals(measured.p99, 0),
    ]),
  );
}

export function formatProcesses(indexes: readonly IndexProcesses[]): string {
  return formatTable(
    ['passages', 'process', 'length', 'start ms', 'memory +MB', 'keywords MB', 'encoder +MB'],
    indexes.flatMap(({ passages, dimensions, keywords, measured }) =>
      measured.map(({ place, startMs, memory, encoder }) => [
        String(passages),
        `process ${place}`,
        String(dimensions),
        decimals(startMs, 1),
        decimals(memory, 1),
        decimals(keywords, 1),
        decimals(encoder, 1),
      ]),
    ),
  );
}

export function formatSample(measured: SampleMeasurement): string {
  const { passages, lookups, p50, p99, delay, idleDelay } = measured;
  return formatTable(
    ['passages', 'lookups', 'p50 ms', 'p99 ms', 'timer late ms (p99)', 'idle'],
    [
      [
        String(passages),
        String(lookups),
        decimals(p50, 2),
        decimals(p99, 2),
        decimals(delay, 2),
        decimals(idleDelay, 2),
      ],
    ],
  );
}

/** Whether our figures keep within the bounds, in lines, and how many do not. */
export function judgeVectors(
  nearest: readonly NearestMeasurement[],
  processes: readonly IndexProcesses[],
): { readonly text: string; readonly missed: number } {
  const native = nearest.filter(({ way }) => way === ours).map(({ recall }) => recall);
  const wasm = nearest.filter(({ way }) => way === scan).map(({ ofNative }) => ofNative);
  const further = processes.flatMap(({ keywords, measured }) =>
    measured.filter(({ place }) => place > 1).map(({ memory }) => memory - keywords),
  );
  const judged = [
    atLeast('recall@3 of the native search', native),
    atLeast('of its three found by the scan', wasm),
    {
      row: [
        'further process beside keywords, MB',
        decimals(Math.max(...further), 1),
        `at most ${mostMemory}`,
      ],
      isKept: further.every((memory) => !(memory > mostMemory)),
    },
  ];
  const rows = judged.map(({ row, isKept }) => [...row, isKept ? 'yes' : 'no']);
  const text = formatTable(['at worst', 'measured', 'bound', 'kept'], rows);
  return { text, missed: judged.filter(({ isKept }) => !isKept).length };
}

function atLeast(what: string, shares: readonly number[]) {
  return {
    row: [what, decimals(Math.min(...shares), 4), `at least ${leastRecall}`],
    isKept: shares.every((share) => share >= leastRecall),
  };
}
