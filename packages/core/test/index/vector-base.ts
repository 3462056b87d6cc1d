import type { KnowledgeBase } from '../../src/knowledge-base.js';
import type { KnowledgeBaseOptions } from '../../src/options.js';
import { HashEmbedder } from '../support/hash-embedder.js';
import { tempFolder } from '../support/temp-folder.js';
import { base, documentsFolder } from './baked-index.js';

/** Given to children, which cannot load our embedder: its vectors of the texts that they will ask for. */
export interface EmbedderTable {
  readonly identity: Record<string, unknown>;
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

/** A hybrid base over our embedder, unless `options` say something else. */
export function vectorBase(options: Partial<KnowledgeBaseOptions>): KnowledgeBase {
  return base({ embed: () => new HashEmbedder(), ...options });
}

/** Bakes an edition with vectors into a fresh folder and says where. */
export async function bakeVectors(
  edition: string,
  options: Partial<KnowledgeBaseOptions> = {},
): Promise<string> {
  const indexDir = await tempFolder();
  await vectorBase({ documents: await documentsFolder(edition), indexDir, ...options }).bake();
  return indexDir;
}

export function tableOf(
  texts: readonly string[],
  embedder: HashEmbedder = new HashEmbedder(),
): EmbedderTable {
  const { id, revision, dimensions, weight, maxBatch, maxTokens } = embedder;
  return {
    identity: { id, revision, dimensions, weight, maxBatch, maxTokens },
    vectors: Object.fromEntries(texts.map((text) => [text, [...embedder.vector(text)]])),
  };
}

/** What a fresh start from a folder with vectors answers. */
export async function askVectors(
  indexDir: string,
  queries: readonly string[],
  options: Partial<KnowledgeBaseOptions> = {},
): Promise<unknown[]> {
  const started = vectorBase({ indexDir, ...options });
  await started.start();
  try {
    return await Promise.all(queries.map((query) => started.lookUp(query)));
  } finally {
    await started.close();
  }
}
