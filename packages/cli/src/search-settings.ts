import { describeIndex, type KnowledgeBaseOptions, type Mode } from '@cuecard/core';

import { findEmbedder, loadEmbedder, type EmbedderName } from './embedders.js';
import { CommandError } from './failure.js';

/** How to search, as the command line says. */
export interface SearchOptions {
  readonly mode?: Mode | undefined;
  readonly embedder?: EmbedderName | undefined;
}

/** How to search, as a base takes it. */
export type SearchSettings = Pick<KnowledgeBaseOptions, 'mode' | 'embed' | 'credentialEnv'>;

/** Settings of a base that is made of documents: hybrid with an embedder, else by keywords. */
export async function settingsForDocuments(options: SearchOptions): Promise<SearchSettings> {
  const { mode, embedder } = options;
  assertTogether(options);
  if (embedder !== undefined) return { mode, ...(await loadEmbedder(embedder)) };
  if (mode === undefined || mode === 'keyword') return { mode };
  const message = `--mode ${mode} needs an embedder; pass --embedder local or --embedder openai.`;
  throw wrongUse(message);
}

/**
 * Settings of a base over an index. Its embedder is the one given or, where `findOwn` asks for it, the one
 * it was baked with; where that cannot be had, `warn` is told and keywords answer.
 */
export async function settingsForIndex(
  indexDir: string,
  options: SearchOptions,
  findOwn: boolean,
  warn: (message: string) => void,
): Promise<SearchSettings> {
  const { mode, embedder } = options;
  assertTogether(options);
  const { embedder: baked } = await describeIndex(indexDir);
  if (mode === 'keyword') return { mode };
  if (!baked) {
    const given = embedder === undefined ? mode && `--mode ${mode}` : `--embedder ${embedder}`;
    if (given === undefined) return { mode: 'keyword' };
    throw wrongUse(`${given} needs vectors, and the index has none; bake it with --embedder.`);
  }
  if (embedder !== undefined) return { mode, ...(await loadEmbedder(embedder, baked)) };
  if (!findOwn) return { mode: 'keyword' };
  const found = await findEmbedder(baked);
  if (!('missing' in found)) return { mode, ...found };
  const why = `the index was baked with embedder '${baked.id}': ${found.missing}`;
  if (mode !== undefined) throw wrongUse(`--mode ${mode} cannot be had; ${why}.`);
  warn(`${why}. Searching by keywords alone.`);
  return { mode: 'keyword' };
}

function assertTogether({ mode, embedder }: SearchOptions): void {
  if (mode === 'keyword' && embedder !== undefined)
    throw wrongUse('--embedder does not go with --mode keyword.');
}

function wrongUse(message: string): CommandError {
  return new CommandError('usage-invalid', message);
}
