export type { OpenAIChatClient } from './chat-client.js';
export type { OpenAIClient } from './client.js';
export { openaiChat, type OpenAIChatOptions } from './openai-chat.js';
export { openaiEmbedder } from './openai-embedder.js';
export type { OpenAIEmbedderOptions } from './options.js';
