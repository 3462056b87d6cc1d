// Starts a base, asks it and closes it, over and over, until told to stop, or `once`; then says every set of answers it has had.
import { KnowledgeBase } from '../../../dist/index.js';

const { options, queries, once = false } = JSON.parse(process.argv[2]);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const seen = new Set();
let turns = 0;
let stopped = false;
if (!once) process.once('message', () => (stopped = true));

while (!stopped) {
  const base = new KnowledgeBase({ ...options, logger: silent });
  try {
    await base.start();
    const answers = [];
    for (const query of queries) answers.push(await base.lookUp(query));
    seen.add(JSON.stringify({ generation: base.status().generation, answers }));
  } catch (error) {
    seen.add(`${error.code}: ${String(error)}`);
  }
  await base.close();
  turns++;
  if (once) stopped = true;
  else if (turns === 1) process.send({ kind: 'reading' });
}
process.send({ kind: 'read', turns, seen: [...seen] }, () => process.disconnect());
