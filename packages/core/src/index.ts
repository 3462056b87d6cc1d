// The whole public surface of this package. A new line here is a promise to its users.
export { describeIndex, type IndexDescription } from './baked-index.js';
export { defineKnowledge, type KnowledgeConfig } from './define-knowledge.js';
export { folder } from './documents/folder.js';
export { readDocument } from './documents/read-document.js';
export type {
  Block,
  BlockKind,
  BlockPart,
  Document,
  Position,
  Source,
  SourceContext,
  SourceEntry,
} from './documents/source.js';
export type { EmbedKind, Embedder } from './embedder.js';
export {
  KnowledgeError,
  type KnowledgeErrorCode,
  type KnowledgeErrorDetails,
  type UnreadableReason,
} from './errors.js';
export type { IndexCheck, IndexState } from './index-check.js';
export type { EmbedderIdentity } from './index/manifest.js';
export type { DocumentSummary, IndexSummary, PassageSummary } from './inspect-generation.js';
export type { BakeReport } from './bake-index.js';
export { KnowledgeBase, type BaseStatus } from './knowledge-base.js';
export type { Logger } from './logger.js';
export type { LookupEvent } from './lookup/lookup-event.js';
export type { Fusion } from './lookup/fuse.js';
export type { Rerank } from './lookup/rerank.js';
export type {
  Citation,
  Degraded,
  LookupOptions,
  LookupPassage,
  LookupResult,
  LookupStatus,
  Outcome,
  SearchHit,
  SearchOutcome,
  UnavailableReason,
} from './lookup/lookup-result.js';
export type { Mode } from './mode.js';
export type { Documents, KnowledgeBaseOptions, Storage } from './options.js';
export type { BakeOptions, BakeProgress } from './progress.js';
export { requireBaked } from './require-baked.js';
export type { LookupArguments, LookupToolOptions } from './tools/lookup-tool.js';
export type { ToolContext, ToolParameters, ToolSpec } from './tools/tool.js';
