import type { KnowledgeBase } from './knowledge-base.js';

/** What `cuecard.config.ts` exports: the bases of a project, in one place that no agent's entry file has to be imported for. */
export interface KnowledgeConfig {
  readonly bases: readonly KnowledgeBase[];
}

/** Types a configuration: `export default defineKnowledge({ bases: [refunds, luggage] })`. */
export function defineKnowledge(config: KnowledgeConfig): KnowledgeConfig {
  return config;
}
