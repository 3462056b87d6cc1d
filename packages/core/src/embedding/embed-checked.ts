import type { EmbedKind, Embedder } from '../embedder.js';
import { KnowledgeError } from '../errors.js';

/** How an embedder is asked: what the texts are, and how to stop. */
export interface EmbedRequest {
  readonly kind: EmbedKind;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One unit vector a text, in order. Whatever an embedder does wrong (throws, gives another count,
 * another length, NaN, zeros) becomes `embedder-failed`, without its own words: they may quote the texts.
 */
export async function embedChecked(
  embedder: Embedder,
  texts: readonly string[],
  { kind, signal }: EmbedRequest,
): Promise<Float32Array[]> {
  const vectors = await Promise.resolve()
    .then(() => embedder.embed(texts, signal ? { kind, signal } : { kind }))
    .catch((cause: unknown) => {
      if (signal?.aborted) throw signal.reason;
      throw embedderFailed(embedder, 'it threw an error', cause);
    });
  if (!Array.isArray(vectors) || vectors.length !== texts.length) {
    throw embedderFailed(
      embedder,
      `it gave another number of vectors than the ${texts.length} texts`,
    );
  }
  return vectors.map((vector) => unit(embedder, vector));
}

function unit(embedder: Embedder, vector: unknown): Float32Array {
  if (!(vector instanceof Float32Array) || vector.length !== embedder.dimensions) {
    throw embedderFailed(embedder, `it gave a vector that is not ${embedder.dimensions} numbers`);
  }
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(norm) || norm === 0)
    throw embedderFailed(embedder, 'it gave a vector without a direction');
  return vector.map((value) => value / norm);
}

/** `embedder-failed`; `what` says what it did, in no words of its own. */
export function embedderFailed({ id }: Embedder, what: string, cause?: unknown): KnowledgeError {
  const message = `embedder '${id}' failed: ${what}.`;
  return new KnowledgeError({ code: 'embedder-failed', message, cause });
}
