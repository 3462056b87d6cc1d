import { decimals, formatTable } from '../table.js';
import type { Measurement } from './measure-engine.js';

const megabyte = 1024 * 1024;
const head = [
  'passages',
  'library',
  'build s',
  'passages/s',
  'MB/s',
  'index MB',
  'import ms',
  'load ms',
  'memory +MB',
  'of MB',
  'p50 µs',
  'p99 µs',
  'runs',
];

export function formatMeasurements(measurements: readonly Measurement[]): string {
  return formatTable(head, measurements.map(toRow));
}

function toRow(measured: Measurement): string[] {
  const {
    engine,
    passages,
    textBytes,
    buildMs,
    diskBytes,
    importMs,
    loadMs,
    memoryAdded,
    memoryTotal,
    p50,
    p99,
  } = measured;
  const seconds = buildMs / 1000;
  return [
    String(passages),
    engine,
    decimals(seconds, 2),
    decimals(passages / seconds, 0),
    decimals(textBytes / megabyte / seconds, 2),
    decimals(diskBytes / megabyte, 1),
    decimals(importMs, 0),
    decimals(loadMs, 1),
    decimals(memoryAdded, 1),
    decimals(memoryTotal, 1),
    decimals(p50, 1),
    decimals(p99, 1),
    measured.runs.join('+'),
  ];
}

/** A figure of ours that may be at most a share of minisearch's. */
interface Bound {
  readonly what: string;
  readonly of: (measured: Measurement) => number;
  readonly share: number;
}

const boundsAt = 10_000;
const bounds: readonly Bound[] = [
  { what: 'load to first answer', of: ({ loadMs }) => loadMs, share: 10 },
  { what: 'lookup p50', of: ({ p50 }) => p50, share: 20 },
  { what: 'memory added', of: ({ memoryAdded }) => memoryAdded, share: 10 },
];

/** Whether our figures keep within the bounds, in lines, and how many do not. */
export function judgeBounds(measurements: readonly Measurement[]): {
  readonly text: string;
  readonly missed: number;
} {
  const find = (engine: string): Measurement | undefined =>
    measurements.find((measured) => measured.engine === engine && measured.passages === boundsAt);
  const [ours, theirs] = [find('cuecard'), find('minisearch')];
  if (!ours || !theirs)
    return {
      text: `The bounds are judged at ${boundsAt} passages, which were not measured.`,
      missed: 0,
    };
  const judged = bounds.map(({ what, of, share }) => {
    const ratio = of(theirs) / of(ours);
    const verdict = Number.isNaN(ratio)
      ? 'not measured'
      : of(ours) * share <= of(theirs)
        ? 'yes'
        : 'no';
    return { verdict, row: [what, `1/${decimals(ratio, 1)}`, `1/${share}`, verdict] };
  });
  const table = formatTable(
    [`at ${boundsAt} passages`, 'of minisearch', 'at most', 'kept'],
    judged.map(({ row }) => row),
  );
  return { text: table, missed: judged.filter(({ verdict }) => verdict === 'no').length };
}
