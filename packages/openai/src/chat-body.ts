import type { ChatCall, ChatMessage, ChatRequest, ChatTool } from '@cuecard/core/tools';

import type { BodyCall, BodyMessage, BodyTool, ChatBody } from './chat-client.js';
import { sendableText } from './split-requests.js';

/** The body of a request. `extra` goes before what is sent by default; `undefined` in it takes a field out. */
export function chatBody(
  { messages, tools = [] }: ChatRequest,
  model: string,
  extra: Readonly<Record<string, unknown>>,
): ChatBody {
  const body = {
    stream_options: { include_usage: true },
    parallel_tool_calls: false,
    ...extra,
    model,
    stream: true,
    messages: messages.map(toMessage),
  } as const;
  // The API refuses an empty list, and this field without a list.
  if (tools.length === 0) return { ...body, parallel_tool_calls: undefined };
  return { ...body, tools: tools.map(toTool) };
}

function toMessage(message: ChatMessage): BodyMessage {
  if (message.role === 'tool') {
    const content = sendableText(JSON.stringify(message.value));
    return { role: 'tool', tool_call_id: message.callId, content };
  }
  if (message.role !== 'assistant') {
    return { role: message.role, content: sendableText(message.text) };
  }
  const { text = '', calls = [] } = message;
  if (calls.length === 0) return { role: 'assistant', content: sendableText(text) };
  const content = text === '' ? null : sendableText(text);
  return { role: 'assistant', content, tool_calls: calls.map(toCall) };
}

/** Models make names up, and the API refuses a history with one that no function can have. */
function toCall({ id, name, arguments: text }: ChatCall): BodyCall {
  const allowed = name.replaceAll(/[^\w-]/g, '_').slice(0, 64);
  return { id, type: 'function', function: { name: allowed || '_', arguments: text } };
}

function toTool({ name, description, parameters }: ChatTool): BodyTool {
  return {
    type: 'function',
    function: { name, description, parameters: { ...parameters }, strict: true },
  };
}
