import type { EmbedKind } from '../../src/embedder.js';
import { HashEmbedder } from '../support/hash-embedder.js';

/** What a call gets in place of the right vectors. */
export type Answer = (
  right: Float32Array[],
  signal: AbortSignal | undefined,
) => Promise<Float32Array[]>;

/** Answers as the test says, and counts. */
export class ScriptedEmbedder extends HashEmbedder {
  readonly asked: string[] = [];
  readonly signals: AbortSignal[] = [];
  closed = 0;
  answer: Answer;

  constructor(answer: Answer = right) {
    super();
    this.answer = answer;
  }

  override async embed(
    texts: readonly string[],
    { signal }: { readonly kind: EmbedKind; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    this.asked.push(...texts);
    if (signal) this.signals.push(signal);
    return this.answer(
      texts.map((text) => this.vector(text)),
      signal,
    );
  }

  async close(): Promise<void> {
    this.closed++;
  }
}

/** The right vectors at once. */
export const right: Answer = async (vectors) => vectors;
/** Nothing, ever, whatever the signal says. */
export const hang: Answer = () => new Promise(() => undefined);
export const fail: Answer = () => Promise.reject(new Error('no'));

/** The right vectors after a while, whatever the signal says. */
export function after(ms: number): Answer {
  return (vectors) => new Promise((resolve) => setTimeout(resolve, ms, vectors));
}

/** The right vectors when the test says so. */
export function gate(): { readonly answer: Answer; readonly open: () => void } {
  const opened: (() => void)[] = [];
  return {
    answer: (vectors) => new Promise((resolve) => opened.push(() => resolve(vectors))),
    open: () => opened.splice(0).forEach((resolve) => resolve()),
  };
}
