import { onTestFinished } from 'vitest';

import type { KnowledgeBase } from '../../src/knowledge-base.js';
import type { KnowledgeBaseOptions } from '../../src/options.js';
import { vectorBase } from '../index/vector-base.js';
import type { ScriptedEmbedder } from './scripted-embedder.js';

/** A base that is started from an index with vectors and closed when its test ends. */
export async function served(
  indexDir: string,
  embedder: ScriptedEmbedder,
  options: Partial<KnowledgeBaseOptions> = {},
): Promise<KnowledgeBase> {
  const base = vectorBase({ indexDir, embed: () => embedder, ...options });
  await base.start();
  onTestFinished(() => base.close());
  return base;
}
