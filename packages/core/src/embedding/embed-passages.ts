import type { Embedder } from '../embedder.js';
import { eventLoopTurns } from '../event-loop-turns.js';
import { type BatchOptions, embedBatch } from './embed-batch.js';

/** A passage's place and its vector. */
type EmbeddedPassage = readonly [passage: number, vector: Float32Array];

/** What `embedPassages` knows, reports and heeds. */
export interface EmbedPassagesOptions extends BatchOptions {
  /** Vectors of passages that need not be embedded again. */
  readonly known?: ReadonlyMap<number, Float32Array> | undefined;
  /** Passages that have their vectors, the known ones among them. */
  readonly onProgress: (done: number) => void;
  /** Given the new vectors of each batch. */
  readonly onEmbedded?: ((passages: readonly EmbeddedPassage[]) => Promise<void>) | undefined;
}

/** Vectors of all passages, and how many of them are too long for the embedder at once. */
export interface EmbeddedPassages {
  readonly vectors: readonly Float32Array[];
  readonly windowed: number;
}

/** Embeds passages in the embedder's batches; one longer than `maxTokens` is the mean of its windows. */
export async function embedPassages(
  embedder: Embedder,
  texts: readonly string[],
  { known = new Map(), onProgress, onEmbedded, ...batch }: EmbedPassagesOptions,
): Promise<EmbeddedPassages> {
  const pieces = await cut(embedder, texts);
  const missing = [...texts.keys()].filter((passage) => !known.has(passage));
  const queue = missing.flatMap((passage) => pieces[passage] ?? []);
  const vectors = new Map(known);
  let parts: Float32Array[] = [];
  let done = 0;
  onProgress(vectors.size);
  for (let from = 0; from < queue.length; from += embedder.maxBatch) {
    const asked = queue.slice(from, from + embedder.maxBatch);
    parts.push(...(await embedBatch(embedder, asked, batch)));
    const embedded: EmbeddedPassage[] = [];
    for (; done < missing.length; done++) {
      const passage = missing[done] ?? 0;
      const { length } = pieces[passage] ?? [];
      if (length > parts.length) break;
      embedded.push([passage, mean(parts.slice(0, length))]);
      parts = parts.slice(length);
    }
    for (const [passage, vector] of embedded) vectors.set(passage, vector);
    await onEmbedded?.(embedded);
    onProgress(vectors.size);
  }
  return {
    vectors: [...texts.keys()].flatMap((passage) => vectors.get(passage) ?? []),
    windowed: pieces.filter(({ length }) => length > 1).length,
  };
}

async function cut(embedder: Embedder, texts: readonly string[]): Promise<string[][]> {
  const { windows } = await import('../passages/windows.js');
  const turn = eventLoopTurns();
  const pieces: string[][] = [];
  for (const text of texts) {
    pieces.push(windows(text, embedder));
    await turn();
  }
  return pieces;
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
