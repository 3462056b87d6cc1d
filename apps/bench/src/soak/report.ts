import { percentile } from '../speed/measuring.js';
import { decimals, formatTable } from '../table.js';
import { slope, type Sample } from './samples.js';

/** What came of a soak. */
export interface SoakRun {
  readonly lookups: number;
  readonly reloads: number;
  /** Lookups with a passage of another generation than the one they report. */
  readonly wrong: number;
  /** Lookups that could not search, or found nothing. */
  readonly failed: number;
  /** Lookups that ended on another generation than was current then. */
  readonly straddling: number;
  /** Milliseconds of every reload. */
  readonly reloadMs: readonly number[];
  readonly samples: readonly Sample[];
}

/** The share of a run in which memory is still finding its level. */
const warmUpShare = 0.2;
/** The most that the line through the rest may rise from its beginning to its end. */
const mostGrowth = { rss: 20, heap: 2, files: 4, mappings: 16 } as const;

/** The run as text, and how many bounds it does not keep. */
export function judgeSoak(run: SoakRun): { readonly text: string; readonly missed: number } {
  const settled = run.samples.slice(Math.floor(run.samples.length * warmUpShare));
  const seconds = (settled.at(-1)?.at ?? 0) - (settled[0]?.at ?? 0);
  const measures = [
    { name: 'memory of the process, MB', of: ({ rss }: Sample) => rss, most: mostGrowth.rss },
    { name: 'JavaScript heap, MB', of: ({ heap }: Sample) => heap, most: mostGrowth.heap },
    { name: 'open files', of: ({ files }: Sample) => files, most: mostGrowth.files },
    { name: 'mappings', of: ({ mappings }: Sample) => mappings, most: mostGrowth.mappings },
  ];
  const judged = measures.map(({ name, of, most }) => {
    const rate = slope(settled, of);
    // Where the system tells nothing, nothing is judged.
    const isKept = !(rate * seconds > most);
    const ends = [settled[0], settled.at(-1)].map((sample) =>
      decimals(sample ? of(sample) : Number.NaN, 1),
    );
    const figures = [decimals(rate * 60, 3), decimals(rate * seconds, 2), String(most)];
    return { row: [name, ...ends, ...figures, isKept ? 'yes' : 'no'], isKept };
  });
  const head = ['', 'at first', 'at last', 'slope a minute', 'over the run', 'at most', 'kept'];
  const wrong = run.wrong + run.failed;
  const text = [
    `${run.lookups} lookups, ${run.reloads} reloads; ${run.straddling} lookups ended on the generation before`,
    `${run.wrong} wrong-generation results, ${run.failed} failed or empty lookups`,
    `a reload took ${decimals(percentile(run.reloadMs, 0.5), 1)} ms (median), ${decimals(Math.max(...run.reloadMs), 1)} ms (longest)`,
    '',
    formatTable(
      head,
      judged.map(({ row }) => row),
    ),
  ].join('\n');
  return { text, missed: judged.filter(({ isKept }) => !isKept).length + (wrong > 0 ? 1 : 0) };
}
