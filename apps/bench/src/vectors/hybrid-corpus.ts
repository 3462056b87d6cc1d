import { KnowledgeBase, type Embedder, type Logger } from '@cuecard/core';

import { best } from '../speed/best.js';
import { passagesSource } from '../speed/cuecard-engine.js';
import type { VectorSet } from './clustered-vectors.js';

/** Passages and questions with a vector each; words and vectors have nothing to do with each other. */
export interface HybridCorpus {
  readonly passages: readonly string[];
  readonly questions: readonly string[];
  readonly vectors: VectorSet;
}

const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const longestPassage = 2048;

/** A hybrid base over the corpus; what an encoder takes is left out. */
export function hybridBase(corpus: HybridCorpus, folder: string): KnowledgeBase {
  return new KnowledgeBase({
    name: 'bench',
    mode: 'hybrid',
    language: 'en',
    topK: best,
    chunkSize: longestPassage,
    chunkOverlap: 0,
    documents: passagesSource(corpus.passages),
    indexDir: folder,
    embed: () => givenVectors(corpus),
    logger: quiet,
  });
}

/** Hands the corpus's vectors out: those of the passages in their order, a question's by its text. */
function givenVectors({ questions, vectors }: HybridCorpus): Embedder {
  const byQuestion = new Map(questions.map((text, at) => [text, vectors.questions[at]]));
  let next = 0;
  return {
    id: 'given',
    revision: '1',
    dimensions: vectors.dimensions,
    weight: 0.4,
    maxBatch: 500,
    maxTokens: longestPassage,
    countTokens: () => 1,
    embed: async (texts, { kind }) =>
      texts.map((text) => {
        const vector = kind === 'passage' ? vectors.rows[next++] : byQuestion.get(text);
        return vector ?? new Float32Array(vectors.dimensions);
      }),
  };
}
