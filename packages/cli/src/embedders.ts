import type { EmbedderIdentity, KnowledgeBaseOptions } from '@cuecard/core';

import { CommandError } from './failure.js';

/** Embedders that the command line can take, each from a package of its own. */
export const embedderNames = ['local', 'openai'] as const;
export type EmbedderName = (typeof embedderNames)[number];

/** What a base needs to use an embedder. */
export type EmbedderSettings = Pick<KnowledgeBaseOptions, 'embed' | 'credentialEnv'>;

const openaiKey = 'OPENAI_API_KEY';

/**
 * Loads an embedder's package. For an index, OpenAI's model is the one it was baked with.
 * Throws `usage-invalid`, which says what to install, when the package is not there.
 */
export async function loadEmbedder(
  name: EmbedderName,
  baked?: EmbedderIdentity,
): Promise<EmbedderSettings> {
  if (name === 'local') {
    const { localEmbedder } = await importOptional(name, () => import('@cuecard/local'));
    return { embed: () => localEmbedder() };
  }
  const { openaiEmbedder } = await importOptional(name, () => import('@cuecard/openai'));
  const [, model, length] = /^(text-embedding-[^@]+)(?:@(\d+))?$/.exec(baked?.id ?? '') ?? [];
  const dimensions = length === undefined ? undefined : Number(length);
  return { embed: () => openaiEmbedder({ model, dimensions }), credentialEnv: openaiKey };
}

/** The embedder an index was baked with, or why it cannot be had here. */
export async function findEmbedder(
  baked: EmbedderIdentity,
): Promise<EmbedderSettings | { readonly missing: string }> {
  const name = nameOf(baked);
  if (!name) return { missing: 'the command line does not know that embedder' };
  if (name === 'openai' && !process.env[openaiKey]) return { missing: `${openaiKey} is not set` };
  try {
    return await loadEmbedder(name, baked);
  } catch (error) {
    if (error instanceof CommandError) return { missing: error.message.replace(/\.$/, '') };
    throw error;
  }
}

function nameOf({ id }: EmbedderIdentity): EmbedderName | undefined {
  if (id === 'use-lite') return 'local';
  return id.startsWith('text-embedding-') ? 'openai' : undefined;
}

async function importOptional<Module>(
  name: EmbedderName,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const missing = error instanceof Error && error.message.includes(`'@cuecard/${name}'`);
    if (!missing) throw error;
    const packages = name === 'openai' ? '@cuecard/openai openai' : `@cuecard/${name}`;
    const message = `embedder '${name}' is not installed; run: npm install ${packages}`;
    throw new CommandError('usage-invalid', message);
  }
}
