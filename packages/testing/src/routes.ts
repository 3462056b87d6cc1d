import { answerChat, type ChatSettings } from './chat.js';
import { answerEmbeddings, type VectorOf } from './embeddings.js';
import { answerError, answerJson, type Exchange } from './exchange.js';

/** Answers one request; `route` is its method and its path. */
export type Answer = (route: string, exchange: Exchange) => Promise<void>;

/** The part of the API that the fake server has. */
export function routes(vector: VectorOf, chat: ChatSettings): Answer {
  let chats = 0;
  const models = ['gpt-fake', 'text-embedding-3-small', 'text-embedding-3-large'];
  return async (route, exchange) => {
    if (route === 'POST /v1/embeddings') answerEmbeddings(exchange, vector);
    else if (route === 'POST /v1/chat/completions') {
      chats += 1;
      await answerChat(exchange, chat, String(chats));
    } else if (route === 'GET /v1/models') {
      const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'fake' }));
      answerJson(exchange, 200, { object: 'list', data });
    } else answerError(exchange, 404, route);
  };
}
