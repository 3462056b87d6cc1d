import { createHash } from 'node:crypto';

import { KnowledgeBase, type Logger, type Source, type SourceEntry } from '@cuecard/core';

import { best } from './best.js';
import type { Engine } from './engine.js';

const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const longestPassage = 2048;

export function cuecardEngine(): Engine {
  const options = {
    name: 'bench',
    mode: 'keyword',
    language: 'en',
    logger: quiet,
    chunkSize: longestPassage,
    chunkOverlap: 0,
  } as const;
  return {
    async build(passages, folder) {
      await new KnowledgeBase({
        ...options,
        documents: passagesSource(passages),
        indexDir: folder,
      }).bake();
    },
    async open(folder) {
      const base = new KnowledgeBase({ ...options, indexDir: folder, topK: best });
      await base.start();
      return async (question) => {
        const outcome = await base.lookUp(question);
        return 'results' in outcome ? outcome.results.length : 0;
      };
    },
  };
}

/** One document a passage, in one piece: the splitter has nothing to decide. */
export function passagesSource(passages: readonly string[]): Source {
  return {
    name: 'passages',
    async *entries() {
      for (const [at, text] of passages.entries()) yield entryOf(`${at}.txt`, text);
    },
  };
}

function entryOf(name: string, text: string): SourceEntry {
  return {
    name,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    read: async () => ({
      title: '',
      blocks: [{ kind: 'prose', heading: [], parts: [{ text }] }],
      warnings: [],
    }),
  };
}
