// Writes dist/model: the weights, the vocabulary, the kernel, and model.json with their digests.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import wabt from 'wabt';

import { Encoder } from '../dist/encoder.js';
import { openSourceModel, readSourceVocabulary } from './source-model.mjs';
import { convertWeights } from './write-weights.mjs';

// Texts that go through every rule of the text's preparation: a change to it changes their vectors,
// and with them the revision.
const PROBES = [
  'How do I reset my password?',
  'THE  Ｆｕｌｌ\u00a0Ｗｉｄｔｈ ﬁle, at 10:30 — naïve café №5',
  'Unknown: 日本語 \u{1f642}\u{1f642} x \ud800',
  'A long text is clipped. '.repeat(60),
  ' \t ',
];

const folder = new URL('../dist/model/', import.meta.url);
const vocabulary = readSourceVocabulary();
const files = {
  weights: convertWeights(openSourceModel()),
  vocabulary,
  kernel: await assembleKernel(),
};
const contents = {
  'weights.bin': files.weights,
  'vocabulary.json': Buffer.from(JSON.stringify(vocabulary)),
  'kernel.wasm': files.kernel,
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
/** @type {Record<string, string>} */
const sha256 = {};
for (const [name, bytes] of Object.entries(contents)) {
  writeFileSync(new URL(name, folder), bytes);
  sha256[name] = createHash('sha256').update(bytes).digest('hex');
}
const card = { revision: revision(), sha256 };
writeFileSync(new URL('model.json', folder), `${JSON.stringify(card, null, 2)}\n`);

/** Changes with any byte of the model and with any of the probes' vectors. */
function revision() {
  const encoder = new Encoder(files);
  const hash = createHash('sha256').update(Object.values(sha256).join());
  for (const probe of PROBES) hash.update(encoder.encode(probe));
  return hash.digest('hex').slice(0, 16);
}

async function assembleKernel() {
  const source = readFileSync(new URL('../src/kernel.wat', import.meta.url), 'utf8');
  const toolkit = await wabt();
  const module = toolkit.parseWat('kernel.wat', source, { simd: true });
  try {
    module.validate();
    return Uint8Array.from(module.toBinary({}).buffer);
  } finally {
    module.destroy();
  }
}
