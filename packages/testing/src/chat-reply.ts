import type { ChatRequest } from './chat-request.js';

/** What the model answers to one request. */
export interface ChatReply {
  /** Said before any calls. */
  readonly text?: string;
  /** Several are parallel calls. */
  readonly calls?: readonly ChatCall[];
  /** Wait before the first piece, in milliseconds. Default: the server's `firstTokenMs`. */
  readonly firstTokenMs?: number;
  /** Wait before each further piece, in milliseconds. Default: the server's `tokenMs`. */
  readonly tokenMs?: number;
}

/** A function the model calls. */
export interface ChatCall {
  readonly name: string;
  /** An object is sent as JSON; a string as it is, right or wrong. */
  readonly arguments: string | object;
}

/** Makes the answer to a request. */
export type ChatModel = (request: ChatRequest) => ChatReply | Promise<ChatReply>;

/** A call as it goes over the wire. */
export interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The calls of a reply, `prefix` in their ids. */
export function wireCalls(reply: ChatReply, prefix: string): readonly WireCall[] {
  return (reply.calls ?? []).map(({ name, arguments: given }, at) => ({
    id: `call_${prefix}_${at + 1}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));
}

/** Why a reply ends, in the API's word. */
export function finishReason(reply: ChatReply): 'stop' | 'tool_calls' {
  return reply.calls && reply.calls.length > 0 ? 'tool_calls' : 'stop';
}
