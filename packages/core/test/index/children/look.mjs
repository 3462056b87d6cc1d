// Starts a base with vectors, says 'reading', waits to be told to go on, and asks it again and again:
//   node look.mjs '{ options, embedder, queries, lookups }'
// Says the first answers, how many later ones differed, and the mapped files by path and inode.
import { readFile } from 'node:fs/promises';

import { KnowledgeBase } from '../../../dist/index.js';
import { tableEmbedder } from './table-embedder.mjs';

const { options, embedder, queries, lookups } = JSON.parse(process.argv[2]);
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const base = new KnowledgeBase({ ...options, logger, embed: () => tableEmbedder(embedder) });
const told = new Promise((resolve) => process.once('message', resolve));

try {
  await base.start();
  const mapped = await mappedFiles();
  process.send({ kind: 'reading' });
  await told;
  const first = [];
  let different = 0;
  for (let at = 0; at < lookups; at++) {
    const answer = await base.lookUp(queries[at % queries.length]);
    const place = at % queries.length;
    first[place] ??= answer;
    if (JSON.stringify(first[place]) !== JSON.stringify(answer)) different++;
  }
  await base.close();
  process.send({ kind: 'looked', answers: first, different, mapped });
} catch (error) {
  process.send({ kind: 'failed', code: error.code ?? error.message });
}
process.disconnect();

async function mappedFiles() {
  const maps = await readFile('/proc/self/maps', 'utf8').catch(() => '');
  const lines = maps.split('\n').map((line) => line.split(/\s+/));
  const files = lines.map(([, , , , inode, ...path]) => `${path.join(' ')} ${inode}`);
  return [...new Set(files)].filter((file) => file.startsWith('/'));
}
