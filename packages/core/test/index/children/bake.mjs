// Bakes once: node bake.mjs <options as JSON>. Says 'write' when the index is about to be written, then what came of it.
import { KnowledgeBase } from '../../../dist/index.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const base = new KnowledgeBase({ ...JSON.parse(process.argv[2]), logger: silent });

const onProgress = ({ phase, done }) => {
  if (phase === 'write' && done === 0) process.send({ kind: 'write' });
};
try {
  const { generation, written } = await base.bake({ onProgress });
  process.send({ kind: 'baked', generation, written });
} catch (error) {
  process.send({ kind: 'failed', code: error.code ?? String(error) });
}
process.disconnect();
