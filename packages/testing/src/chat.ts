import { finishReason, wireCalls, type ChatReply } from './chat-reply.js';
import { chatProblem, readChatRequest, type ChatRequest } from './chat-request.js';
import { chatChunks, streamChunks, type ChunkHead } from './chat-stream.js';
import { answerError, answerJson, isRecord, type Exchange } from './exchange.js';

/** How the model of the fake server answers. */
export interface ChatSettings {
  /** `undefined` when it has no answer. */
  readonly model: (request: ChatRequest) => Promise<ChatReply | undefined>;
  readonly firstTokenMs: number;
  readonly tokenMs: number;
}

/** `POST /v1/chat/completions`; `id` tells answers apart. */
export async function answerChat(
  exchange: Exchange,
  settings: ChatSettings,
  id: string,
): Promise<void> {
  const request = readChatRequest(exchange.body);
  const problem = chatProblem(request);
  if (problem !== undefined) {
    answerError(exchange, 400, `Invalid request: ${problem}`);
    return;
  }
  const scripted = await settings.model(request);
  if (scripted === undefined) {
    answerError(exchange, 500, 'No reply is scripted for this request');
    return;
  }
  const { firstTokenMs, tokenMs } = settings;
  const reply = { firstTokenMs, tokenMs, ...scripted };
  const usage = usageOf(request, reply);
  const head = { id: `chatcmpl-${id}`, created: 1_700_000_000, model: request.model };
  if (request.stream) {
    const options = request.body['stream_options'];
    const isAsked = isRecord(options) && options['include_usage'] === true;
    await streamChunks(exchange, chatChunks(reply, head, isAsked ? usage : undefined), reply);
  } else answerJson(exchange, 200, completion(reply, head, usage));
}

/** Token counts are numbers of words: they only have to be there and to add up. */
function usageOf(request: ChatRequest, reply: ChatReply): Readonly<Record<string, number>> {
  const prompt = words(request.messages.map(({ content }) => content).join(' '));
  const answer = words(reply.text ?? '') + (reply.calls?.length ?? 0);
  return { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer };
}

function completion(reply: ChatReply, head: ChunkHead, usage: object): object {
  const calls = wireCalls(reply, head.id);
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }],
    usage,
  };
}

function words(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
