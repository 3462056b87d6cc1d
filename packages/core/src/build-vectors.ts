import type { Embedder } from './embedder.js';
import { type EmbeddedPassages, embedPassages } from './embedding/embed-passages.js';
import { embedderIdentity } from './embedding/make-embedder.js';
import { type EmbeddingCounts, KnowledgeError } from './errors.js';
import { eventLoopTurns } from './event-loop-turns.js';
import { passageDigest } from './index/passages-file.js';
import { openStoredVectors } from './index/stored-vectors.js';
import {
  openVectorJournal,
  removeVectorJournals,
  type VectorJournal,
} from './index/vector-journal.js';
import { writeVectors } from './index/vector-writer.js';
import type { BakeOptions } from './progress.js';

/** What an embedder is to make vectors of. */
export interface VectorTask {
  readonly embedder: Embedder;
  /** The passages' indexed texts. */
  readonly texts: readonly string[];
  /** Language of the documents. */
  readonly language: string;
  /** Folder of an index whose vectors may be used again; omitted: none are, and none are kept. */
  readonly indexDir: string | undefined;
}

/** The vector file of the texts, and what a person should know of it. */
export interface BuiltVectors {
  readonly bytes: Buffer;
  readonly warnings: readonly string[];
  readonly embedding: EmbeddingCounts;
}

/** Passages with a vector from before, and where new vectors are kept until they are published. */
interface Kept {
  readonly known: ReadonlyMap<number, Float32Array>;
  readonly digests: readonly string[];
  readonly journal: VectorJournal;
}

/** Makes the vectors that are not known from before, and the file of all of them. Closes the embedder. */
export async function buildVectors(task: VectorTask, bake: BakeOptions): Promise<BuiltVectors> {
  const { embedder, texts, indexDir } = task;
  let kept: Kept | undefined;
  try {
    kept = indexDir === undefined ? undefined : await recall(task, indexDir, bake.fresh);
    const reused = kept?.known.size ?? 0;
    const { vectors, windowed } = await embed(task, kept, bake);
    const embedding = { embedded: texts.length - reused, reused, failed: 0 };
    const bytes = await writeVectors(vectors, embedder.dimensions, bake.signal);
    return { bytes, warnings: warningsOf(task, windowed), embedding };
  } finally {
    // What was made, or why it was not, counts for more than how these end.
    const closeEmbedder = async (): Promise<void> => embedder.close?.();
    await Promise.allSettled([kept?.journal.close(), closeEmbedder()]);
  }
}

async function recall(
  { embedder, texts }: VectorTask,
  indexDir: string,
  fresh = false,
): Promise<Kept> {
  const identity = embedderIdentity(embedder);
  if (fresh) await removeVectorJournals(indexDir);
  const journal = await openVectorJournal(indexDir, identity);
  const stored = fresh ? undefined : await openStoredVectors(indexDir, identity);
  const turn = eventLoopTurns();
  const known = new Map<number, Float32Array>();
  const digests: string[] = [];
  try {
    for (const [passage, text] of texts.entries()) {
      const digest = passageDigest(text).toString('hex');
      const vector = journal.found.get(digest) ?? stored?.find(digest);
      if (vector && isUnit(vector)) known.set(passage, vector);
      digests.push(digest);
      await turn();
    }
  } finally {
    await stored?.close();
  }
  return { known, digests, journal };
}

async function embed(
  { embedder, texts }: VectorTask,
  kept: Kept | undefined,
  { signal, onProgress }: BakeOptions,
): Promise<EmbeddedPassages> {
  const reused = kept?.known.size ?? 0;
  let done = reused;
  try {
    return await embedPassages(embedder, texts, {
      signal,
      known: kept?.known,
      onProgress(now) {
        done = now;
        onProgress?.({ phase: 'embed', done, total: texts.length });
      },
      onEmbedded: async (passages) =>
        kept?.journal.add(
          passages.map(([passage, vector]) => [kept.digests[passage] ?? '', vector]),
        ),
    });
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error;
    const embedding = { embedded: done - reused, reused, failed: texts.length - done };
    throw partlyEmbedded(error, embedding, kept?.journal.complete ?? false);
  }
}

function partlyEmbedded(
  { code, message, cause }: KnowledgeError,
  embedding: EmbeddingCounts,
  resumable: boolean,
): KnowledgeError {
  const { embedded, reused, failed } = embedding;
  const done = embedded + reused;
  const far = `${done} of ${done + failed} passages have their vectors`;
  const next = resumable && embedded > 0 ? '; the next bake goes on from there' : '';
  return new KnowledgeError({ code, message: `${message} ${far}${next}.`, embedding, cause });
}

function warningsOf({ embedder, texts, language }: VectorTask, windowed: number): string[] {
  const { id, languages } = embedder;
  const warnings: string[] = [];
  if (languages && !languages.includes(language))
    warnings.push(`embedder '${id}' does not know the language of the documents (${language})`);
  if (windowed > 0)
    warnings.push(
      `embedded in parts, being longer than embedder '${id}' takes: ${windowed} of ${texts.length} passages`,
    );
  return warnings;
}

/** As far as half precision allows. Whatever else a file holds was not written by us. */
function isUnit(vector: Float32Array): boolean {
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.abs(square - 1) < 0.01;
}
