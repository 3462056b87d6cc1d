export type { OpenAIClient } from './client.js';
export { openaiEmbedder } from './openai-embedder.js';
export type { OpenAIEmbedderOptions } from './options.js';
