// A process of its own over an index that others have open too: `child.js <index folder> <dimensions> <questions file>`.
// Prints its figures as one line of JSON, and keeps the index open until its standard input ends.
import { readFile } from 'node:fs/promises';

import { localEmbedder } from '@cuecard/local';

import { privateMemory, timed } from '../speed/measuring.js';
import { clusteredVectors } from './clustered-vectors.js';
import { hybridBase } from './hybrid-corpus.js';

const [folder = '', dimensions = '', questionsFile = ''] = process.argv.slice(2);
const texts: unknown = JSON.parse(await readFile(questionsFile, 'utf8'));
const questions = Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
const vectors = clusteredVectors(Number(dimensions), 0, questions.length);
const before = await privateMemory();
const base = hybridBase({ passages: [], questions, vectors }, folder);
const { ms: startMs } = await timed(() => base.start());
for (const question of questions) {
  await base.lookUp(question);
}
const after = await privateMemory();
const encoder = localEmbedder();
await encoder.warmUp();
const withEncoder = await privateMemory();
const memory = after - before;
console.log(JSON.stringify({ startMs, memory, encoder: withEncoder - after }));
process.stdin.resume();
process.stdin.once('end', () => process.exit());
