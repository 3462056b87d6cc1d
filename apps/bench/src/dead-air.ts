import { parseArgs } from 'node:util';

import { type DeadAirPlan, measureDeadAir } from './dead-air/measure.js';
import { formatLookups, judgeDeadAir } from './dead-air/report.js';

const knowledge = new URL('../../knowledge/', import.meta.url);

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { lookups: { type: 'string', default: '10000' } } });
  const lookups = Number(values.lookups);
  if (!Number.isSafeInteger(lookups) || lookups < 1)
    throw new RangeError('--lookups is how many to make: 1 or more');
  const plan: DeadAirPlan = {
    lookups,
    concurrency: 50,
    deadlineMs: 600,
    hanging: 0.05,
    failing: 0.05,
  };
  const { hanging, failing, concurrency, deadlineMs } = plan;
  console.log(
    `${lookups} lookups, ${concurrency} at a time, deadline ${deadlineMs} ms, no two for the same words, nothing kept;`,
  );
  console.log(
    `the server of the embedder lets ${100 * hanging} % of its requests hang and fails ${100 * failing} %.\n`,
  );
  const measured = await measureDeadAir(knowledge, plan);
  console.log(formatLookups(measured));
  const { text, missed } = judgeDeadAir(measured, plan);
  console.log(`\n${text}`);
  return missed === 0 ? 0 : 1;
}

process.exitCode = await main();
