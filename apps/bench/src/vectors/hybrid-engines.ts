import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { create, insertMultiple, search } from '@orama/orama';

import { best } from '../speed/best.js';
import { loadTerms } from '../speed/engine.js';
import { hybridBase, type HybridCorpus } from './hybrid-corpus.js';
import {
  measureInProcess,
  type HybridFigures,
  type HybridLibrary,
  type OpenedIndex,
} from './hybrid-library.js';
import { sqliteLibrary } from './sqlite-library.js';

/** What a hybrid lookup takes with one library: words and vector given, the three best back. */
export interface HybridMeasurement extends HybridFigures {
  readonly passages: number;
  readonly dimensions: number;
  readonly library: string;
}

const batch = 500;

const cuecard: HybridLibrary = {
  name: 'cuecard',
  measure: (corpus, folder) => measureInProcess(() => openCuecard(corpus, folder), corpus),
};

async function openCuecard(corpus: HybridCorpus, folder: string): Promise<OpenedIndex> {
  const base = hybridBase(corpus, folder);
  await base.bake();
  await base.start();
  return {
    ask: async (question) => (await base.search(question)).results.length,
    close: () => base.close(),
  };
}

const orama: HybridLibrary = {
  name: 'orama',
  measure: (corpus) => measureInProcess(() => openOrama(corpus), corpus),
};

async function openOrama({ passages, vectors }: HybridCorpus): Promise<OpenedIndex> {
  const { passageTerms, queryTerms } = await loadTerms();
  let asking = false;
  const tokenizer = {
    language: 'english',
    normalizationCache: new Map<string, string>(),
    tokenize: (text: string) => (asking ? queryTerms(text, 'en') : passageTerms(text, 'en')),
  };
  const index = create({
    schema: { text: 'string', vector: `vector[${vectors.dimensions}]` },
    components: { tokenizer },
  });
  const rows = passages.map((text, at) => ({ text, vector: [...(vectors.rows[at] ?? [])] }));
  await insertMultiple(index, rows, batch);
  asking = true;
  return {
    async ask(term, value) {
      const vector = { value: [...value], property: 'vector' };
      const { hits } = await search(index, {
        mode: 'hybrid',
        term,
        vector,
        similarity: 0,
        limit: best,
      });
      return hits.length;
    },
  };
}

const lanceDbPackage = '@lancedb/lancedb';

/** Not a dependency: more than 150 MB for one row. */
const lanceDb: HybridLibrary = {
  name: 'lancedb, flat',
  needs: `CUECARD_BENCH_PEERS, a folder with ${lanceDbPackage}`,
  async measure(corpus, folder) {
    const peers = process.env['CUECARD_BENCH_PEERS'];
    if (peers === undefined) return undefined;
    return measureInProcess(() => openLanceDb(corpus, folder, peers), corpus);
  },
};

async function openLanceDb(
  { passages, vectors }: HybridCorpus,
  folder: string,
  peers: string,
): Promise<OpenedIndex> {
  process.env['LANCEDB_LOG'] = 'error';
  const require = createRequire(pathToFileURL(join(peers, 'package.json')));
  const lancedb = require(lanceDbPackage);
  const database = await lancedb.connect(join(folder, 'lancedb'));
  const rows = passages.map((text, at) => ({ text, vector: [...(vectors.rows[at] ?? [])] }));
  const table = await database.createTable('passages', rows);
  await table.createIndex('text', { config: lancedb.Index.fts() });
  const reranker = await lancedb.rerankers.RRFReranker.create();
  return {
    async ask(question, vector) {
      const query = table.query().fullTextSearch(question).nearestTo(vector).rerank(reranker);
      return (await query.limit(best).toArray()).length;
    },
  };
}

export const libraries: readonly HybridLibrary[] = [cuecard, orama, lanceDb, sqliteLibrary];

/** Asks every library the same questions, one library after another; what is not installed has no figures. */
export async function measureHybrid(
  library: HybridLibrary,
  corpus: HybridCorpus,
  folder: string,
): Promise<HybridMeasurement> {
  const none = { buildMs: Number.NaN, p50: Number.NaN, p99: Number.NaN };
  const figures = await library.measure(corpus, folder);
  if (!figures) console.error(`${library.name} is skipped: it needs ${library.needs ?? ''}`);
  const { dimensions } = corpus.vectors;
  return {
    passages: corpus.passages.length,
    dimensions,
    library: library.name,
    ...(figures ?? none),
  };
}
