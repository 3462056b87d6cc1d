import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { create, insertMultiple, search } from '@orama/orama';

import { best } from '../speed/best.js';
import { loadTerms } from '../speed/engine.js';
import { percentile, timed } from '../speed/measuring.js';
import { hybridBase, type HybridCorpus } from './hybrid-corpus.js';

/** What a hybrid lookup takes with one library: words and vector given, the three best back. */
export interface HybridMeasurement {
  readonly passages: number;
  readonly dimensions: number;
  readonly library: string;
  readonly buildMs: number;
  /** Microseconds of a lookup. */
  readonly p50: number;
  readonly p99: number;
}

type Ask = (question: string, vector: Float32Array) => Promise<number>;

interface Opened {
  readonly ask: Ask;
  readonly close?: () => Promise<void>;
}

interface Library {
  readonly name: string;
  /** Indexes the corpus and is ready to be asked; `undefined` where the library is not installed. */
  open(corpus: HybridCorpus, folder: string): Promise<Opened | undefined>;
}

/** No further question is asked after this. */
const enoughMs = 10_000;
const batch = 500;

const cuecard: Library = {
  name: 'cuecard',
  async open(corpus, folder) {
    const base = hybridBase(corpus, folder);
    await base.bake();
    await base.start();
    return {
      ask: async (question) => (await base.search(question)).results.length,
      close: () => base.close(),
    };
  },
};

const orama: Library = {
  name: 'orama',
  async open({ passages, vectors }) {
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
    const ask: Ask = async (term, value) => {
      const vector = { value: [...value], property: 'vector' };
      const { hits } = await search(index, {
        mode: 'hybrid',
        term,
        vector,
        similarity: 0,
        limit: best,
      });
      return hits.length;
    };
    return { ask };
  },
};

const lanceDbPackage = '@lancedb/lancedb';

/** Not a dependency: more than 150 MB for one row. `CUECARD_BENCH_PEERS` names a folder where it is installed. */
const lanceDb: Library = {
  name: 'lancedb, flat',
  async open({ passages, vectors }, folder) {
    const peers = process.env['CUECARD_BENCH_PEERS'];
    if (peers === undefined) return undefined;
    process.env['LANCEDB_LOG'] = 'error';
    const require = createRequire(pathToFileURL(join(peers, 'package.json')));
    const lancedb = require(lanceDbPackage);
    const database = await lancedb.connect(join(folder, 'lancedb'));
    const rows = passages.map((text, at) => ({ text, vector: [...(vectors.rows[at] ?? [])] }));
    const table = await database.createTable('passages', rows);
    await table.createIndex('text', { config: lancedb.Index.fts() });
    const reranker = await lancedb.rerankers.RRFReranker.create();
    const ask: Ask = async (question, vector) => {
      const query = table.query().fullTextSearch(question).nearestTo(vector).rerank(reranker);
      return (await query.limit(best).toArray()).length;
    };
    return { ask };
  },
};

export const libraries: readonly Library[] = [cuecard, orama, lanceDb];

/** Asks every library the same questions in this process, one library after another. */
export async function measureHybrid(
  library: Library,
  corpus: HybridCorpus,
  folder: string,
): Promise<HybridMeasurement> {
  const opened = await timed(() => library.open(corpus, folder));
  const times: number[] = [];
  const began = performance.now();
  for (const [at, question] of corpus.questions.entries()) {
    const vector = corpus.vectors.questions[at];
    const ask = opened.value?.ask;
    if (!ask || !vector || performance.now() - began > enoughMs) break;
    times.push((await timed(() => ask(question, vector))).ms);
  }
  await opened.value?.close?.();
  const { dimensions } = corpus.vectors;
  return {
    passages: corpus.passages.length,
    dimensions,
    library: library.name,
    buildMs: opened.value ? opened.ms : Number.NaN,
    p50: percentile(times, 0.5) * 1000,
    p99: percentile(times, 0.99) * 1000,
  };
}
