// The whole public surface of this package. A new line here is a promise to its users.
export { describeIndex, type IndexDescription } from './open-baked-index.js';
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
  type EmbeddingCounts,
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
export type { ServingStatus } from './live-index.js';
export type { Logger } from './logger.js';
export type { LookupEvent } from './lookup/lookup-event.js';
export type { Fusion } from './lookup/fuse.js';
export type { BreakerState } from './lookup/breaker.js';
export type { Rerank } from './lookup/rerank.js';
export type {
  Citation,
  Degraded,
  LookupOptions,
  LookupPassage,
  LookupResult,
  LookupStatus,
  Outcome,
  PrefetchOptions,
  SearchHit,
  SearchOutcome,
  UnavailableReason,
} from './lookup/lookup-result.js';
export type { EmbedderStatus } from './lookup/query-embedder.js';
export type { CacheStatus } from './lookup/result-cache.js';
export type { Mode } from './mode.js';
export type { Documents, KnowledgeBaseOptions, Storage } from './options.js';
export type { BakeOptions, BakeProgress } from './progress.js';
export { requireBaked } from './require-baked.js';
export {
  type Announce,
  type AnnounceContext,
  type AnnounceSay,
  type ToolAnnounce,
  announceLine,
} from './tools/announce.js';
export {
  type ChatCall,
  type ChatDriver,
  type ChatEnd,
  ChatError,
  type ChatErrorCode,
  type ChatErrorDetails,
  type ChatEvent,
  type ChatMessage,
  type ChatRequest,
  type ChatTool,
  type ChatUsage,
} from './tools/chat-driver.js';
export type { JsonObject, JsonValue } from './tools/json.js';
export type { LookupArguments, LookupToolOptions } from './tools/lookup-tool.js';
export { runTool } from './tools/run-tool.js';
export type { Session, SessionTurn } from './tools/session.js';
export { type Task, TaskPlan, type TaskPlanOptions } from './tools/task-plan.js';
export { ToolError } from './tools/tool-error.js';
export type { ToolFailure, ToolOutcome } from './tools/tool-outcome.js';
export { ToolRegistry } from './tools/tool-registry.js';
export type {
  ParseArguments,
  ParsedArguments,
  ToolParameters,
  ToolSchema,
} from './tools/tool-parameters.js';
export {
  type RunContext,
  type ToolContext,
  type ToolOptions,
  type ToolSpec,
  tool,
} from './tools/tool.js';
export { type Transition, end, next } from './tools/transition.js';
