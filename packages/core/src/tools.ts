// The public surface of `@cuecard/core/tools`: safe in a browser, no Node built-in, nothing native.
export { KnowledgeError } from './errors.js';
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
