import {
  type ChatReply,
  type ChatRequest,
  type FakeOpenAI,
  readChatRequest,
  startFakeOpenAI,
} from '@cuecard/testing';
import { onTestFinished } from 'vitest';

import { languageModel } from '../../src/language-model.js';
import { startTextCall, type TextCall } from '../../src/text-call.js';

/** A call as the chat makes it, with a scripted model. */
export interface ScriptedCall {
  readonly call: TextCall;
  /** What the chat would print. */
  readonly shown: readonly string[];
  /** The requests the model got. */
  readonly requests: () => readonly ChatRequest[];
}

/** Begins a call whose model gives these replies in turn; it ends with the test. */
export async function startCall(...replies: readonly ChatReply[]): Promise<ScriptedCall> {
  const server = await scriptedServer(...replies);
  const model = languageModel({ apiKey: 'test-key', baseURL: server.url, model: 'fake' });
  const shown: string[] = [];
  const call = await startTextCall(model, (line) => shown.push(line));
  onTestFinished(() => call.close());
  return { call, shown, requests: () => chatRequests(server) };
}

/** A server whose model gives these replies in turn; it closes with the test. */
export async function scriptedServer(...replies: readonly ChatReply[]): Promise<FakeOpenAI> {
  const server = await startFakeOpenAI();
  onTestFinished(() => server.close());
  server.reply(...replies);
  return server;
}

/** The model calls a tool. */
export function calls(name: string, args: object = {}): ChatReply {
  return { calls: [{ name, arguments: args }] };
}

/** What the last tool of a request gave the model. */
export function toolResult(request: ChatRequest | undefined): unknown {
  const message = request?.messages.findLast(({ role }) => role === 'tool');
  return JSON.parse(message?.content ?? 'null');
}

function chatRequests(server: FakeOpenAI): readonly ChatRequest[] {
  return server.requests
    .filter(({ path }) => path === '/v1/chat/completions')
    .map(({ body }) => readChatRequest(body));
}
