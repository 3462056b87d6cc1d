import type { KnowledgeBase } from './knowledge-base.js';

/**
 * Throws unless every base has a baked index that fits it (`index-missing`, `index-mismatch`, …), so
 * that a deployment without its bake stops at once instead of building indexes in each process.
 */
export async function requireBaked(...bases: readonly KnowledgeBase[]): Promise<void> {
  await Promise.all(bases.map((base) => base.assertBaked()));
}
