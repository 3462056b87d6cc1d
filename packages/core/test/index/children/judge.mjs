// Starts a base from an index, asks it, and says what came of it; for each message until the parent goes.
import { KnowledgeBase, KnowledgeError } from '../../../dist/index.js';
import { tableEmbedder } from './table-embedder.mjs';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

process.on('message', (task) => void answer(task));

async function answer({ options, queries, embedder }) {
  const embed = embedder && { embed: () => tableEmbedder(embedder) };
  const verdict = await judge({ ...options, ...embed }, queries);
  // A rejection or exception that was left behind shows itself before the next case begins.
  setImmediate(() => process.send(verdict));
}

async function judge(options, queries) {
  const base = new KnowledgeBase({ ...options, logger: silent });
  try {
    await base.start();
  } catch (error) {
    const coded = error instanceof KnowledgeError && typeof error.code === 'string';
    return coded ? { kind: 'refused', code: error.code } : { kind: 'threw', error: String(error) };
  }
  try {
    const answers = [];
    for (const query of queries) answers.push(await base.lookUp(query));
    return { kind: 'served', answers };
  } catch (error) {
    return { kind: 'threw', error: `lookUp: ${String(error)}` };
  } finally {
    await base.close();
  }
}
