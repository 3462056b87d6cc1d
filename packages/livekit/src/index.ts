// The whole public surface of this package. A new line here is a promise to its users.
export type { CallOptions } from './call-session.js';
export type { EndCall } from './end-call.js';
export { injectKnowledge } from './inject-knowledge.js';
export { liveKitAgents, type LiveKitAgents, type LiveKitAgentsOptions } from './livekit-agents.js';
export {
  liveKitTool,
  type LiveKitTool,
  type LiveKitToolOptions,
  liveKitTools,
} from './livekit-tool.js';
export { prefetchKnowledge } from './prefetch-knowledge.js';
export { type KnowledgeStatus, prewarmKnowledge, refreshKnowledge } from './prewarm-knowledge.js';
