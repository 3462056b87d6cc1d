// Bakes once with an embedder: node bake-vectors.mjs '{ options, bake, holdAt }'. At batch `holdAt` it says 'held' and
// waits to be told to go on.
import { createHash } from 'node:crypto';

import { KnowledgeBase } from '../../../dist/index.js';

const { options, bake, holdAt } = JSON.parse(process.argv[2]);
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const dimensions = 16;
let batches = 0;

function vector(text) {
  const bytes = createHash('sha256').update(text).digest();
  const values = Float32Array.from({ length: dimensions }, (_, at) => (bytes[at] ?? 0) - 127.5);
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

const embedder = {
  id: 'sha',
  revision: '1',
  dimensions,
  weight: 0.5,
  maxBatch: 8,
  maxTokens: 512,
  async embed(texts) {
    if (++batches === holdAt) {
      process.send({ kind: 'held' });
      await new Promise((resolve) => process.once('message', resolve));
    }
    return texts.map(vector);
  },
};
const base = new KnowledgeBase({ ...options, embed: () => embedder, logger: silent });
try {
  const { generation, written, embedding } = await base.bake(bake);
  process.send({ kind: 'baked', generation, written, embedding });
} catch (error) {
  process.send({ kind: 'failed', code: error.code ?? String(error) });
}
process.disconnect();
