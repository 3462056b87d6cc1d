import { percentile } from '../speed/measuring.js';
import { decimals, formatTable } from '../table.js';
import type { DeadAir, DeadAirPlan, Lookup } from './measure.js';

/** A timer is never exact, least of all on a busy machine. */
const graceMs = 50;
const leastWhole = 0.95;

/** How the lookups ended, a line for each way. */
export function formatLookups({ lookups, breaker, inFlight }: DeadAir): string {
  const ways = [...new Set(lookups.map(wayOf))].toSorted();
  const rows = [undefined, ...ways].map((way) => {
    const chosen = lookups.filter((lookup) => way === undefined || wayOf(lookup) === way);
    const times = chosen.map(({ ms }) => ms);
    const figures = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)];
    const count = String(chosen.length);
    return [way ?? 'all lookups', count, ...figures.map((ms) => decimals(ms, 1))];
  });
  const table = formatTable(['lookups', 'count', 'p50 ms', 'p99 ms', 'max ms'], rows);
  return `${table}\n\nAt the end the breaker is ${breaker}, and ${inFlight} calls to the embedder are still out.`;
}

/** Whether the bounds are kept, in lines, and how many are not. */
export function judgeDeadAir(
  { lookups, delay, idleDelay }: DeadAir,
  { deadlineMs }: DeadAirPlan,
): { readonly text: string; readonly missed: number } {
  const bound = deadlineMs + graceMs;
  const slowest = Math.max(...lookups.map(({ ms }) => ms));
  const thrown = lookups.filter((lookup) => lookup.thrown).length;
  const degraded = lookups.filter((lookup) => lookup.degraded !== undefined);
  const empty = degraded.filter(({ hits, keywordHits }) => hits === 0 && keywordHits > 0).length;
  const healthy = lookups.filter((lookup) => lookup.healthy);
  const whole = healthy.filter((lookup) => lookup.degraded === undefined).length / healthy.length;
  const judged = [
    row('slowest lookup, ms', decimals(slowest, 1), `at most ${bound}`, slowest <= bound),
    row('lookups that threw', String(thrown), '0', thrown === 0),
    row(
      `of ${degraded.length} degraded, without the hits keywords have`,
      String(empty),
      '0',
      empty === 0,
    ),
    row(
      `of ${healthy.length} with a healthy call, not degraded`,
      decimals(whole, 4),
      `at least ${leastWhole}`,
      whole >= leastWhole,
    ),
    row('timer late while doing so, ms (p99)', decimals(delay, 2), '–', true),
    row('timer late when idle, ms (p99)', decimals(idleDelay, 2), '–', true),
  ];
  const text = formatTable(
    ['what', 'measured', 'bound', 'kept'],
    judged.map(({ cells, kept }) => [...cells, kept ? 'yes' : 'no']),
  );
  return { text, missed: judged.filter(({ kept }) => !kept).length };
}

function row(what: string, measured: string, bound: string, kept: boolean) {
  return { cells: [what, measured, bound], kept };
}

function wayOf({ degraded, thrown, healthy }: Lookup): string {
  if (thrown) return 'threw';
  if (degraded === undefined) return 'whole';
  return healthy ? `${degraded}, call healthy` : degraded;
}
