import { buildIndex, type BuiltIndex } from './build-index.js';
import { type EmbeddingCounts, KnowledgeError, invalidOption } from './errors.js';
import { lockIndex } from './index/bake-lock.js';
import type { Manifest } from './index/manifest.js';
import { publish } from './index/publish.js';
import { removeVectorJournals } from './index/vector-journal.js';
import { toPath } from './open-baked-index.js';
import type { ResolvedOptions } from './options.js';
import type { BakeOptions } from './progress.js';

/** What a bake did. */
export interface BakeReport {
  readonly generation: string;
  readonly counts: Manifest['counts'];
  /** Language of the documents, as given or detected. */
  readonly language: string;
  /** Size of all artefacts in bytes. */
  readonly bytes: number;
  /** `false` when the index was already what this bake gives. */
  readonly written: boolean;
  /** What a person should know of the documents; no text of theirs. */
  readonly warnings: readonly string[];
  /** Files of kinds that are not read. */
  readonly ignored: readonly string[];
  /** Which passages the embedder was given, and which had their vectors from before; there when the index has vectors. */
  readonly embedding?: EmbeddingCounts | undefined;
}

const longestWaitMs = 60_000;

/** Reads a base's documents and writes its index, all or nothing, once no other bake is at work on it. */
export async function bakeIndex(options: ResolvedOptions, bake: BakeOptions): Promise<BakeReport> {
  if (options.indexDir === undefined) throw invalidOption('indexDir', 'a folder to bake into');
  const { waitMs = longestWaitMs, signal, onProgress } = bake;
  if (!(waitMs >= 0)) throw invalidOption('waitMs', 'a number of milliseconds, 0 or more');
  const indexDir = toPath(options.indexDir);
  const total = Math.ceil(waitMs / 1_000);
  const onWait = (waitedMs: number): void =>
    onProgress?.({ phase: 'wait', done: Math.floor(waitedMs / 1_000), total });
  const release = await lockIndex(indexDir, { waitMs, signal, onWait }).catch((error: unknown) => {
    throw error instanceof Error && 'syscall' in error ? unwritable(error) : error;
  });
  try {
    return await bakeInto(indexDir, options, bake);
  } finally {
    await release();
  }
}

async function bakeInto(
  indexDir: string,
  options: ResolvedOptions,
  bake: BakeOptions,
): Promise<BakeReport> {
  const built = await buildInMemory(options, bake, indexDir);
  const { manifest, files, warnings, ignored, embedding } = built;
  bake.onProgress?.({ phase: 'write', done: 0, total: files.size });
  bake.signal?.throwIfAborted();
  const written = await publish(indexDir, manifest, files).catch((error: unknown) => {
    throw unwritable(error);
  });
  await removeVectorJournals(indexDir);
  bake.onProgress?.({ phase: 'write', done: files.size, total: files.size });
  const bytes = manifest.artefacts.reduce((sum, artefact) => sum + artefact.bytes, 0);
  const { generation, counts, tokenizer } = manifest;
  const { language } = tokenizer;
  return { generation, counts, language, bytes, written, warnings, ignored, embedding };
}

function unwritable(cause: unknown): KnowledgeError {
  const message = 'the index could not be written; check the folder, its permissions and the disk.';
  return new KnowledgeError({ code: 'index-unwritable', message, cause });
}

/** Builds an index without writing it; its warnings go to the base's logger. For `indexDir` see {@link buildIndex}. */
export async function buildInMemory(
  options: ResolvedOptions,
  bake: BakeOptions,
  indexDir?: string,
): Promise<BuiltIndex> {
  if (options.documents.length === 0) throw invalidOption('documents', 'the documents to bake');
  const built = await buildIndex(options, bake, indexDir);
  for (const warning of built.warnings) options.logger.warn(`Base '${options.name}': ${warning}.`);
  return built;
}
