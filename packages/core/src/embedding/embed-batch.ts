import { setTimeout as pause } from 'node:timers/promises';

import type { Embedder } from '../embedder.js';
import { embedChecked, embedderFailed } from './embed-checked.js';

/** Pauses before the second try and those after it; there are no more. */
const pausesMs: readonly number[] = [500, 1_000, 2_000];
const longestAnswerMs = 120_000;

/** How a batch is stopped. */
export interface BatchOptions {
  readonly signal?: AbortSignal | undefined;
  /** The longest one try may take, in milliseconds. Default: 120,000. */
  readonly limitMs?: number | undefined;
}

/** {@link embedChecked} for passages, up to four times. The last failure is thrown. */
export async function embedBatch(
  embedder: Embedder,
  texts: readonly string[],
  { signal, limitMs = longestAnswerMs }: BatchOptions,
): Promise<Float32Array[]> {
  for (let tries = 0; ; tries++) {
    try {
      return await embedWithin(limitMs, embedder, texts, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined) throw error;
      await rest(pauseMs * (0.75 + Math.random() / 2), signal);
    }
  }
}

async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
}

/** An embedder may hang, and need not heed the signal that tells it to stop. */
async function embedWithin(
  limitMs: number,
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const what = `it gave no answer within ${limitMs / 1_000} seconds`;
  const timer = setTimeout(() => controller.abort(embedderFailed(embedder, what)), limitMs);
  const stop = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  try {
    const request = { kind: 'passage', signal: controller.signal } as const;
    return await Promise.race([embedChecked(embedder, texts, request), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
