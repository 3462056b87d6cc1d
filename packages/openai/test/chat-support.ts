import type { ChatEvent, ChatMessage, ChatTool } from '@cuecard/core';
import { startFakeOpenAI, type ChatModel, type FakeOpenAI } from '@cuecard/testing';
import { OpenAI } from 'openai';
import { onTestFinished } from 'vitest';

import { openaiChat, type OpenAIChatOptions } from '../src/index.js';
import { key } from './support.js';

export const spoken = 'where is my zebra suitcase';
export const messages: readonly ChatMessage[] = [{ role: 'user', text: spoken }];

export const lookUp: ChatTool = {
  name: 'look_up',
  description: 'Looks something up.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
};

/** All that comes. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A server for one test, and a way to ask it. */
export async function startChat(
  options: Partial<OpenAIChatOptions> = {},
  chat: ChatModel = () => ({ text: 'It is in Rome.' }),
): Promise<{ server: FakeOpenAI; ask: (signal?: AbortSignal) => Promise<ChatEvent[]> }> {
  const server = await startFakeOpenAI({ apiKey: key, chat });
  onTestFinished(() => server.close());
  const client = new OpenAI({
    apiKey: key,
    baseURL: server.url,
    maxRetries: 5,
    logLevel: 'off',
  });
  const driver = openaiChat(client, { model: 'gpt-fake', ...options });
  return { server, ask: (signal) => collect(driver.stream({ messages, signal })) };
}

/** What the driver makes of the chunks of an answer. */
export function eventsOf(
  chunks: Iterable<unknown> | AsyncIterable<unknown>,
  options: Partial<OpenAIChatOptions> = {},
): Promise<ChatEvent[]> {
  const answer = async function* (): AsyncGenerator {
    yield* chunks;
  };
  const client = { chat: { completions: { create: () => Promise.resolve(answer()) } } };
  const driver = openaiChat(client, { model: 'gpt-fake', maxRetries: 0, ...options });
  return collect(driver.stream({ messages }));
}

/** A chunk with one choice. */
export function chunk(delta: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** A chunk of calls. */
export function callChunk(...calls: readonly object[]): object {
  return chunk({ tool_calls: calls });
}
