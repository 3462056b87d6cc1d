import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import MiniSearch from 'minisearch';

import { best } from './best.js';
import type { Engine, Terms } from './engine.js';

const indexFile = 'minisearch.json';

/** Keeps no text, only ids: the least it can do. */
export function minisearchEngine({ passageTerms, queryTerms }: Terms): Engine {
  const options = {
    fields: ['text'],
    tokenize: (text: string) => passageTerms(text, 'en'),
    processTerm: (term: string) => term,
    searchOptions: {
      tokenize: (text: string) => queryTerms(text, 'en'),
      processTerm: (term: string) => term,
    },
  };
  return {
    async build(passages, folder) {
      const index = new MiniSearch(options);
      index.addAll(passages.map((text, id) => ({ id, text })));
      await writeFile(join(folder, indexFile), JSON.stringify(index));
    },
    async open(folder) {
      const index = MiniSearch.loadJSON(await readFile(join(folder, indexFile), 'utf8'), options);
      return (question) => index.search(question).slice(0, best).length;
    },
  };
}
