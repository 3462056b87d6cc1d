import type { Embedder } from './embedder.js';
import { KnowledgeError } from './errors.js';
import type { Generation } from './index/generation.js';
import type { EmbedderIdentity, Manifest } from './index/manifest.js';
import { tokenizer } from './language/tokens.js';
import type { ResolvedOptions } from './options.js';
import type { DocumentFile } from './read-documents.js';
import { settingsOf } from './settings-of.js';

/**
 * How a baked index stands to its base and documents.
 *
 * - `fresh`: it is what a bake would give now · `stale`: documents have changed since
 * - `mismatch`: baked for another base or with other settings · `missing` · `corrupt` ·
 *   `unreadable` · `newer`: see the error codes
 * - `unknown`: intact, but the base has no documents to compare it with
 */
export type IndexState =
  | 'fresh'
  | 'stale'
  | 'mismatch'
  | 'missing'
  | 'corrupt'
  | 'unreadable'
  | 'newer'
  | 'unknown';

/** What `check()` found. */
export interface IndexCheck {
  readonly state: IndexState;
  /** In words, with the way to mend it. */
  readonly detail: string;
  readonly generation?: string;
  /** `stale`: documents that are new, gone, or changed. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Throws `index-mismatch` unless the index was baked for this base, with its settings, by these rules. */
export function assertFits(
  manifest: Manifest,
  options: ResolvedOptions,
  embedder: Embedder | undefined,
): void {
  // `mode` may differ: the halves of a hybrid index serve every mode, and vectors are compared below.
  const { mode: _mode, ...settings } = settingsOf(options);
  const wanted = {
    ...settings,
    ...(embedder ? { embedder: nameOf(embedder) } : {}),
    name: options.name,
    tenant: options.tenant ?? null,
    tokenizer: `${tokenizer.id} ${tokenizer.version}`,
  };
  const baked = {
    ...manifest.settings,
    embedder: manifest.embedder ? nameOf(manifest.embedder) : 'none',
    ...manifest.base,
    tokenizer: `${manifest.tokenizer.id} ${manifest.tokenizer.version}`,
  };
  const differing = Object.keys(wanted).filter(
    (key) => Reflect.get(wanted, key) !== Reflect.get(baked, key),
  );
  if (differing.length === 0) return;
  const list = differing.map(
    (key) => `${key} (index: ${Reflect.get(baked, key)}, base: ${Reflect.get(wanted, key)})`,
  );
  const message = `the index was baked with another ${list.join(', ')}. Bake it again, or correct the options.`;
  throw new KnowledgeError({ code: 'index-mismatch', message });
}

function nameOf({ id, revision, dimensions }: Omit<EmbedderIdentity, 'maxTokens'>): string {
  return `${id}, revision ${revision}, ${dimensions} dimensions`;
}

/** Compares the documents an index was baked from with those there are now. */
export function compareDocuments(
  generation: Generation,
  files: readonly DocumentFile[],
): IndexCheck {
  const { sha256 } = generation.sources();
  const baked = new Map(
    sha256.map((digest, at) => [generation.documents.document(at).name, digest]),
  );
  const now = new Map(files.map((file) => [file.name, file.sha256]));
  const added = [...now.keys()].filter((name) => !baked.has(name));
  const removed = [...baked.keys()].filter((name) => !now.has(name));
  const changed = [...now]
    .filter(([name, digest]) => baked.has(name) && baked.get(name) !== digest)
    .map(([name]) => name);
  const count = added.length + removed.length + changed.length;
  const detail =
    count === 0
      ? 'the index is up to date'
      : `the documents have changed since the bake: ${added.length} new, ${removed.length} gone, ${changed.length} changed. Bake it again.`;
  return {
    state: count === 0 ? 'fresh' : 'stale',
    detail,
    generation: generation.manifest.generation,
    added,
    removed,
    changed,
  };
}

const stateOfCode = new Map<string, IndexState>([
  ['index-missing', 'missing'],
  ['index-mismatch', 'mismatch'],
  ['index-corrupt', 'corrupt'],
  ['index-unreadable', 'unreadable'],
  ['index-newer', 'newer'],
]);

/** The check that an error of opening the index amounts to; other errors are thrown on. */
export function checkOfError(error: unknown): IndexCheck {
  const state = error instanceof KnowledgeError ? stateOfCode.get(error.code) : undefined;
  if (!state || !(error instanceof KnowledgeError)) throw error;
  return { state, detail: error.message, added: [], removed: [], changed: [] };
}
