import { onTestFinished } from 'vitest';

import { Breaker } from '../../src/lookup/breaker.js';
import { Deadline } from '../../src/lookup/deadline.js';
import { QueryEmbedder } from '../../src/lookup/query-embedder.js';
import type { ScriptedEmbedder } from './scripted-embedder.js';

export const query = 'how many kilograms may a suitcase weigh';

/** A query embedder whose breaker's time passes only when told. */
export function makeQueryEmbedder(
  embedder: ScriptedEmbedder,
  options: { deadlineMs?: number; cacheSize?: number } = {},
): { readonly queries: QueryEmbedder; readonly clock: { ms: number } } {
  const clock = { ms: 0 };
  const breaker = new Breaker({ now: () => clock.ms, random: () => 0 });
  const all = { deadlineMs: 5_000, cacheSize: 100, ...options };
  const queries = new QueryEmbedder(embedder, all, breaker);
  onTestFinished(() => queries.close());
  return { queries, clock };
}

export function within(ms: number, signal?: AbortSignal): Deadline {
  return new Deadline(ms, signal);
}

/** Lets what has been promised by now happen. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
}
