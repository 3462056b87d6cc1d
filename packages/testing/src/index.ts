export type { ChatCall, ChatModel, ChatReply } from './chat-reply.js';
export { readChatRequest, type ChatMessage, type ChatRequest } from './chat-request.js';
export {
  startFakeOpenAI,
  type FakeOpenAI,
  type FakeOpenAIOptions,
  type RecordedRequest,
} from './fake-openai.js';
export type { Fault, FaultSchedule } from './faults.js';
export { hashVector } from './hash-vector.js';
export { toHostRequest, type HostRequest } from './host-request.js';
