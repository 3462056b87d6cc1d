// A retriever for the evaluation script: core's own search over given passages, or over a folder.
import { createHash } from 'node:crypto';

import { KnowledgeBase } from '@cuecard/core';

export const name = 'cuecard';

const longestPassage = 2048;
const mode = process.env.CUECARD_MODE ?? 'keyword';
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let base;
let toResult;

/** Indexes the passages as they are: one document each, in one piece. */
export async function build(docs) {
  toResult = (hit) => ({ id: hit.citation.document, score: hit.keywordScore });
  await open({ documents: passagesSource(docs), chunkSize: longestPassage, chunkOverlap: 0 });
}

/** Indexes the files below a folder with core's loaders and splitter, at their defaults. */
export async function buildFolder(dir) {
  toResult = (hit) => ({ source: hit.citation.document, text: hit.text, score: hit.keywordScore });
  await open({ documents: dir });
}

export async function search(query, k, context) {
  const outcome = await base.search(query, { topK: k, context: said(context?.history) });
  if (outcome.status === 'unavailable') throw new Error(`no search: ${outcome.reason}`);
  return outcome.results.map(toResult);
}

async function open(options) {
  await base?.close();
  base = new KnowledgeBase({ name: 'evaluation', mode, logger: quiet, ...options });
  await base.start();
}

function passagesSource(docs) {
  return {
    name: 'passages',
    async *entries() {
      for (const doc of docs) yield entryOf(doc);
    },
  };
}

function entryOf({ id, title, text }) {
  const block = { kind: 'prose', heading: [], parts: [{ text }] };
  return {
    name: id,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    read: async () => ({ title: title ?? '', blocks: [block], warnings: [] }),
  };
}

/** What was said before, in one text; `undefined` where nothing was. */
function said(history) {
  if (!Array.isArray(history) || history.length === 0) return undefined;
  return history.map((turn) => (typeof turn === 'string' ? turn : (turn.text ?? ''))).join('\n');
}
