import type { ChatMessage } from '@cuecard/core';
import { describeChatDriver, type ChatScript, type ChatSeen } from '@cuecard/core/testing';
import {
  readChatRequest,
  startFakeOpenAI,
  type ChatReply,
  type FakeOpenAI,
  type RecordedRequest,
} from '@cuecard/testing';
import { OpenAI } from 'openai';

import { openaiChat } from '../src/index.js';
import { key } from './support.js';

describeChatDriver('openaiChat', async (answers) => {
  const server = await startFakeOpenAI({ apiKey: key });
  for (const answer of answers) script(server, answer);
  const client = new OpenAI({ apiKey: key, baseURL: server.url, logLevel: 'off' });
  return {
    driver: openaiChat(client, { model: 'gpt-fake' }),
    requests: () => server.requests.map(seen),
    close: () => server.close(),
  };
});

function script(server: FakeOpenAI, { pieceMs = 0, fault, ...answer }: ChatScript): void {
  const reply: ChatReply = { ...answer, firstTokenMs: pieceMs, tokenMs: pieceMs };
  if (fault === 'rejected') server.fault({ kind: 'status', status: 400 });
  else server.reply(reply);
  if (fault === 'broken-off') server.fault({ kind: 'half-body' });
  // Faults are taken request by request: one that goes well has to have its own.
  if (fault === undefined) server.fault({ kind: 'delay', milliseconds: 0 });
}

function seen({ body, ended }: RecordedRequest): ChatSeen {
  const { tools, messages } = readChatRequest(body);
  return { tools, messages: messages.map(neutral), ended };
}

function neutral({ role, content, calls, callId = '' }: WireMessage): ChatMessage {
  if (role === 'tool') return { role, callId, value: JSON.parse(content) };
  if (role === 'system' || role === 'user') return { role, text: content };
  const made = calls.map(({ id, name, text }) => ({ id, name, arguments: text }));
  return { role: 'assistant', text: content, ...(made.length > 0 ? { calls: made } : {}) };
}

type WireMessage = ReturnType<typeof readChatRequest>['messages'][number];
