import type { Embedder } from '../embedder.js';
import { embedChecked } from './embed-checked.js';

/** What `embedPassages` reports and heeds. */
export interface EmbedPassagesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (done: number) => void;
}

/** Vectors of all passages, and how many of them were too long for the embedder at once. */
export interface EmbeddedPassages {
  readonly vectors: readonly Float32Array[];
  readonly windowed: number;
}

/** Embeds passages in the embedder's batches; one longer than `maxTokens` is the mean of its windows. */
export async function embedPassages(
  embedder: Embedder,
  texts: readonly string[],
  { signal, onProgress }: EmbedPassagesOptions,
): Promise<EmbeddedPassages> {
  const { windows } = await import('../passages/windows.js');
  const pieces = texts.map((text) => windows(text, embedder));
  const flat = pieces.flat();
  const vectors: Float32Array[] = [];
  onProgress(0);
  for (let from = 0; from < flat.length; from += embedder.maxBatch) {
    const batch = flat.slice(from, from + embedder.maxBatch);
    vectors.push(...(await embedChecked(embedder, batch, { kind: 'passage', signal })));
    onProgress(Math.min(texts.length, Math.floor((vectors.length / flat.length) * texts.length)));
  }
  let next = 0;
  const merged = pieces.map(({ length }) => mean(vectors.slice(next, (next += length))));
  return { vectors: merged, windowed: pieces.filter(({ length }) => length > 1).length };
}

/** The direction of the sum of unit vectors. */
function mean(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (vectors.length === 1 && first) return first;
  const sum = new Float32Array(first?.length ?? 0);
  for (const vector of vectors) vector.forEach((value, at) => (sum[at] = (sum[at] ?? 0) + value));
  const norm = Math.hypot(...sum) || 1;
  return sum.map((value) => value / norm);
}
