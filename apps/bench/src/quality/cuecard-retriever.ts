import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  KnowledgeBase,
  KnowledgeError,
  type Embedder,
  type KnowledgeBaseOptions,
  type Logger,
  type Mode,
  type SearchHit,
  type Source,
  type SourceEntry,
} from '@cuecard/core';
import { localEmbedder } from '@cuecard/local';

import type { EvaluationPassage } from './evaluation-set.js';
import type { Retriever } from './retriever.js';

/** How a retriever of ours searches. */
export interface CuecardSearch {
  readonly mode: Mode;
  /** Default: core's. */
  readonly fusion?: KnowledgeBaseOptions['fusion'];
  /** How far fusion trusts the local encoder; default: as far as the encoder itself says. */
  readonly weight?: number;
}

/** A retriever that can also read a folder with core's loaders and splitter, at their defaults. */
export interface FolderRetriever extends Retriever {
  buildFolder(folder: string): Promise<void>;
  close(): Promise<void>;
}

const longestPassage = 2048;
/** What is measured is what is found, on a busy machine too. */
const deadlineMs = 60_000;
const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
/** Vectors of the questions that were asked; the same ones are asked again in other modes and by other rules. */
const questionVectors = new Map<string, Promise<Float32Array>>();

/** Core's own search over given passages, or over a folder. */
export function cuecardRetriever(how: CuecardSearch): FolderRetriever {
  const { mode, fusion, weight } = how;
  const meaning = mode === 'keyword' ? {} : { fusion, embed: () => encoder(weight) };
  let base: KnowledgeBase | undefined;
  let toResult: (hit: SearchHit) => unknown = idOf;

  const open = async (options: Partial<KnowledgeBaseOptions>): Promise<void> => {
    await base?.close();
    const fixed = { name: 'evaluation', logger: quiet, deadlineMs };
    base = new KnowledgeBase({ ...fixed, mode, ...meaning, ...options });
    if (base && options.indexDir !== undefined) await bakeOnce(base);
    await base.start();
  };
  return {
    async build(passages) {
      toResult = idOf;
      const documents = passagesSource(passages);
      const whole = { documents, chunkSize: longestPassage, chunkOverlap: 0 };
      await open(mode === 'keyword' ? whole : { ...whole, indexDir: indexFolder(passages) });
    },
    async buildFolder(folder) {
      toResult = quotationOf;
      await open({ documents: folder });
    },
    async search(query, limit, context) {
      const outcome = await base?.search(query, { topK: limit, context: said(context.history) });
      if (!outcome || outcome.status === 'unavailable') throw new Error('no search');
      if (outcome.degraded) throw new Error('the local encoder failed');
      return outcome.results.map(toResult);
    },
    close: async () => base?.close(),
  };
}

function idOf({ citation, score, keywordScore }: SearchHit): unknown {
  return { id: citation.document, score: score ?? keywordScore };
}

function quotationOf({ citation, text, score, keywordScore }: SearchHit): unknown {
  return { source: citation.document, text, score: score ?? keywordScore };
}

function encoder(weight?: number): Embedder {
  const local = localEmbedder();
  return {
    ...local,
    weight: weight ?? local.weight,
    async embed(texts, options) {
      const [question] = texts;
      if (options.kind === 'passage' || question === undefined || texts.length > 1)
        return local.embed(texts, options);
      const vector =
        questionVectors.get(question) ??
        local.embed([question], { kind: 'query' }).then(([only = new Float32Array()]) => only);
      questionVectors.set(question, vector);
      return [await vector];
    },
  };
}

/** Where an index with vectors of these passages is kept between runs: encoding them takes minutes. */
function indexFolder(passages: readonly EvaluationPassage[]): string {
  const cache = process.env['CUECARD_BENCH_CACHE'] ?? join(tmpdir(), 'cuecard-bench-cache');
  const hash = createHash('sha256').update(localEmbedder().revision);
  for (const { id, title, text } of passages) hash.update(JSON.stringify([id, title, text]));
  return join(cache, hash.digest('hex').slice(0, 32));
}

async function bakeOnce(base: KnowledgeBase): Promise<void> {
  try {
    await base.assertBaked();
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    await base.bake();
  }
}

function passagesSource(passages: readonly EvaluationPassage[]): Source {
  return {
    name: 'passages',
    async *entries() {
      for (const passage of passages) yield entryOf(passage);
    },
  };
}

function entryOf({ id, title, text }: EvaluationPassage): SourceEntry {
  return {
    name: id,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    read: async () => ({
      title,
      blocks: [{ kind: 'prose', heading: [], parts: [{ text }] }],
      warnings: [],
    }),
  };
}

/** What was said before, in one text; `undefined` where nothing was. */
function said(history: readonly string[] | undefined): string | undefined {
  return history && history.length > 0 ? history.join('\n') : undefined;
}
