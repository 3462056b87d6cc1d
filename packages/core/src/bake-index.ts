import { toPath } from './baked-index.js';
import { buildIndex, type BuiltIndex } from './build-index.js';
import { KnowledgeError, invalidOption } from './errors.js';
import type { Manifest } from './index/manifest.js';
import { publish } from './index/publish.js';
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
}

/** Reads a base's documents and writes its index, all or nothing. */
export async function bakeIndex(options: ResolvedOptions, bake: BakeOptions): Promise<BakeReport> {
  if (options.indexDir === undefined) throw invalidOption('indexDir', 'a folder to bake into');
  const { manifest, files, warnings, ignored } = await buildInMemory(options, bake);
  bake.onProgress?.({ phase: 'write', done: 0, total: files.size });
  const written = await publish(toPath(options.indexDir), manifest, files).catch(
    (cause: unknown) => {
      const message =
        'the index could not be written; check the folder, its permissions and the disk.';
      throw new KnowledgeError({ code: 'index-unwritable', message, cause });
    },
  );
  bake.onProgress?.({ phase: 'write', done: files.size, total: files.size });
  const bytes = manifest.artefacts.reduce((sum, artefact) => sum + artefact.bytes, 0);
  const { generation, counts, tokenizer } = manifest;
  return { generation, counts, language: tokenizer.language, bytes, written, warnings, ignored };
}

/** Builds an index without writing it; its warnings go to the base's logger. */
export async function buildInMemory(
  options: ResolvedOptions,
  bake: BakeOptions,
): Promise<BuiltIndex> {
  if (options.documents.length === 0) throw invalidOption('documents', 'the documents to bake');
  const built = await buildIndex(options, bake);
  for (const warning of built.warnings) options.logger.warn(`Base '${options.name}': ${warning}.`);
  return built;
}
