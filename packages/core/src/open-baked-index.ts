import { fileURLToPath } from 'node:url';

import type { Embedder } from './embedder.js';
import { makeEmbedder } from './embedding/make-embedder.js';
import { KnowledgeError } from './errors.js';
import { assertFits, checkOfError, compareDocuments, type IndexCheck } from './index-check.js';
import type { Generation } from './index/generation.js';
import type { Manifest } from './index/manifest.js';
import { openIndex, readManifest } from './index/open-index.js';
import type { Documents, KnowledgeBaseOptions, ResolvedOptions } from './options.js';
import { listDocuments } from './read-documents.js';

export function toPath(location: string | URL): string {
  return typeof location === 'string' ? location : fileURLToPath(location);
}

export function indexMissing(mend: string): KnowledgeError {
  return new KnowledgeError({ code: 'index-missing', message: `there is no baked index; ${mend}` });
}

/** Opens the index of a base, checked in full; `undefined` where there is none. */
export async function openBakedIndex(
  options: ResolvedOptions,
  embedder: Embedder | undefined,
): Promise<Generation | undefined> {
  const { indexDir, storage, verifyDocuments, documents } = options;
  if (indexDir === undefined) return undefined;
  const accept = (manifest: Manifest): void => assertFits(manifest, options, embedder);
  const generation = await openIndex(toPath(indexDir), { inMemory: storage === 'memory', accept });
  if (!generation || !verifyDocuments || documents.length === 0) return generation;
  try {
    const { state, detail } = await compare(generation, documents);
    if (state === 'fresh') return generation;
    throw new KnowledgeError({ code: 'index-mismatch', message: detail });
  } catch (error) {
    generation.retire();
    throw error;
  }
}

/** Whether a base's index is intact, fits, and is what its documents would give now. */
export async function checkBakedIndex(options: ResolvedOptions): Promise<IndexCheck> {
  let generation: Generation | undefined;
  try {
    const quick = { ...options, verifyDocuments: false };
    generation = await openBakedIndex(quick, makeEmbedder(options));
    if (!generation) throw indexMissing('bake one.');
    if (options.documents.length > 0) return await compare(generation, options.documents);
    const detail = 'the index is intact; no documents were given to compare it with';
    const unchanged = { added: [], removed: [], changed: [] };
    const { generation: name } = generation.manifest;
    return { state: 'unknown', detail, generation: name, ...unchanged };
  } catch (error) {
    return checkOfError(error);
  } finally {
    generation?.retire();
  }
}

async function compare(
  generation: Generation,
  documents: readonly Documents[],
): Promise<IndexCheck> {
  return compareDocuments(generation, await listDocuments(documents));
}

/** Throws unless the manifest of a base's index is there and fits. */
export async function assertBakedIndex(options: ResolvedOptions): Promise<void> {
  const manifest =
    options.indexDir === undefined ? undefined : await readManifest(toPath(options.indexDir));
  if (!manifest) throw indexMissing('run its bake when the image is built.');
  assertFits(manifest, options, makeEmbedder(options));
}

/** What an index says of itself. */
export type IndexDescription = Pick<
  Manifest,
  'base' | 'generation' | 'settings' | 'tokenizer' | 'embedder' | 'counts'
>;

/** What the index in a folder was baked from and with; reads its manifest only. Throws `index-missing`. */
export async function describeIndex(indexDir: string | URL): Promise<IndexDescription> {
  const manifest = await readManifest(toPath(indexDir));
  if (!manifest) throw indexMissing('bake one there, or correct the folder.');
  const { base, generation, settings, tokenizer, embedder, counts } = manifest;
  return { base, generation, settings, tokenizer, embedder, counts };
}

/** The options an index was baked with. */
export async function optionsOfIndex(indexDir: string | URL): Promise<KnowledgeBaseOptions> {
  const { base, settings } = await describeIndex(indexDir);
  return { ...settings, name: base.name, tenant: base.tenant ?? undefined, indexDir };
}
