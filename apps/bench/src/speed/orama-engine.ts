import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { create, insertMultiple, load, save, search } from '@orama/orama';

import { best } from './best.js';
import type { Engine, Terms } from './engine.js';

const indexFile = 'orama.json';
const batch = 500;

/** Has one tokenizer for both sides; `asking` tells ours which it is. */
export function oramaEngine({ passageTerms, queryTerms }: Terms): Engine {
  let asking = false;
  const tokenizer = {
    language: 'english',
    normalizationCache: new Map<string, string>(),
    tokenize: (text: string) => (asking ? queryTerms(text, 'en') : passageTerms(text, 'en')),
  };
  const empty = () => create({ schema: { text: 'string' }, components: { tokenizer } });
  return {
    async build(passages, folder) {
      const index = empty();
      await insertMultiple(
        index,
        passages.map((text) => ({ text })),
        batch,
      );
      await writeFile(join(folder, indexFile), JSON.stringify(save(index)));
    },
    async open(folder) {
      const index = empty();
      load(index, JSON.parse(await readFile(join(folder, indexFile), 'utf8')));
      asking = true;
      return async (question) => (await search(index, { term: question, limit: best })).hits.length;
    },
  };
}
