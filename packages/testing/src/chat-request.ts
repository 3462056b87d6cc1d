import { isRecord } from './exchange.js';

/** One message of a chat request. */
export interface ChatMessage {
  readonly role: string;
  /** Parts are joined; no content is an empty string. */
  readonly content: string;
  /** Assistant: the calls it made. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  /** Tool: the call it answers. */
  readonly callId: string | undefined;
}

/** A chat request, read. */
export interface ChatRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  readonly messages: readonly ChatMessage[];
  /** All that was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads the body of `POST /v1/chat/completions`. */
export function readChatRequest(body: unknown): ChatRequest {
  const sent = isRecord(body) ? body : {};
  return {
    model: text(sent['model']),
    stream: sent['stream'] === true,
    tools: records(sent['tools']).map((tool) => text(field(tool['function'], 'name'))),
    messages: records(sent['messages']).map(readMessage),
    body: sent,
  };
}

/** What the real API refuses with status 400; `undefined` when it is right. */
export function chatProblem({ body, model, messages, tools }: ChatRequest): string | undefined {
  if (model === '') return "'model' is missing";
  if (messages.length === 0) return "'messages' is empty";
  if (Array.isArray(body['tools']) && tools.length === 0) return "'tools' is empty";
  const wrong = tools.find((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name));
  if (wrong !== undefined) return `'${wrong}' is no name of a function`;
  if (new Set(tools).size < tools.length) return 'two functions have one name';
  return orphan(messages);
}

/** Calls and results belong together, result directly after call. */
function orphan(messages: readonly ChatMessage[]): string | undefined {
  const open = new Set<string>();
  for (const { role, calls, callId = '' } of messages) {
    if (role === 'tool') {
      if (!open.delete(callId)) return `a result has no call '${callId}' before it`;
    } else if (open.size > 0) break;
    for (const { id } of calls) open.add(id);
  }
  return open.size > 0 ? `calls have no results: ${[...open].join(', ')}` : undefined;
}

function readMessage(message: Readonly<Record<string, unknown>>): ChatMessage {
  const { role, content, tool_calls: calls, tool_call_id: callId } = message;
  const parts = records(content).map((part) => text(part['text']));
  return {
    role: text(role),
    content: typeof content === 'string' ? content : parts.join(''),
    calls: records(calls).map((call) => ({
      id: text(call['id']),
      name: text(field(call['function'], 'name')),
      text: text(field(call['function'], 'arguments')),
    })),
    callId: typeof callId === 'string' ? callId : undefined,
  };
}

function records(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
