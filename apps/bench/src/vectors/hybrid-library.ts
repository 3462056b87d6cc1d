import { percentile, timed } from '../speed/measuring.js';
import type { HybridCorpus } from './hybrid-corpus.js';

/** What a library took to index a corpus and to answer its questions. */
export interface HybridFigures {
  readonly buildMs: number;
  /** Microseconds of a lookup. */
  readonly p50: number;
  readonly p99: number;
}

export interface HybridLibrary {
  readonly name: string;
  /** What it needs to be measured, where that is not always there. */
  readonly needs?: string;
  /** Indexes the corpus in a folder and asks its questions; `undefined` where the library is not installed. */
  measure(corpus: HybridCorpus, folder: string): Promise<HybridFigures | undefined>;
}

/** An index that is ready: a question and its vector in, how many passages were found out. */
export interface OpenedIndex {
  readonly ask: (question: string, vector: Float32Array) => Promise<number>;
  readonly close?: () => Promise<void>;
}

/** No further question is asked after this. */
const enoughMs = 10_000;

/** Asks an index in this process, each question once. */
export async function measureInProcess(
  open: () => Promise<OpenedIndex>,
  { questions, vectors }: HybridCorpus,
): Promise<HybridFigures> {
  const { value: opened, ms: buildMs } = await timed(open);
  const times: number[] = [];
  const began = performance.now();
  for (const [at, question] of questions.entries()) {
    const vector = vectors.questions[at];
    if (!vector || performance.now() - began > enoughMs) break;
    times.push((await timed(() => opened.ask(question, vector))).ms);
  }
  await opened.close?.();
  return { buildMs, p50: percentile(times, 0.5) * 1000, p99: percentile(times, 0.99) * 1000 };
}
