import { ChatError, type ChatErrorCode } from '@cuecard/core';
import { startFakeOpenAI } from '@cuecard/testing';
import { AzureOpenAI, OpenAI } from 'openai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { openaiChat } from '../src/index.js';
import { collect, lookUp, messages, spoken, startChat } from './chat-support.js';
import { failure, key } from './support.js';

const answer = [
  { kind: 'text', text: 'It' },
  { kind: 'text', text: ' is' },
  { kind: 'text', text: ' in' },
  { kind: 'text', text: ' Rome.' },
  { kind: 'end', reason: 'stop', usage: { inputTokens: 5, outputTokens: 4 } },
];
const soon = 0.005;

/** The error of a request that must fail, with nothing private in it. */
async function chatFailure(run: () => Promise<unknown>): Promise<ChatError> {
  const error = await failure(run, [spoken, 'Rome']);
  if (!(error instanceof ChatError)) throw new TypeError('no ChatError was thrown');
  return error;
}

describe('a request', () => {
  it('offers strict tools, one call at a time', async () => {
    const { client, server } = await withClient();
    const driver = openaiChat(client, { model: 'gpt-fake' });
    await collect(driver.stream({ messages, tools: [lookUp] }));
    const { name, description, parameters } = lookUp;
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-fake',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: spoken }],
      tools: [{ type: 'function', function: { name, description, parameters, strict: true } }],
      parallel_tool_calls: false,
    });
  });

  it('has further fields where they are given, and loses those that are taken out', async () => {
    const { client, server } = await withClient();
    const request = { temperature: 0.2, stream_options: undefined, parallel_tool_calls: true };
    const driver = openaiChat(client, {
      model: 'gpt-fake',
      request: { ...request, stream: false },
    });
    await collect(driver.stream({ messages }));
    await collect(driver.stream({ messages, tools: [lookUp] }));
    const sent = { model: 'gpt-fake', stream: true, temperature: 0.2 };
    const first = { ...sent, messages: [{ role: 'user', content: spoken }] };
    expect(server.requests[0]?.body).toEqual(first);
    expect(server.requests[1]?.body).toMatchObject({ ...first, parallel_tool_calls: true });
  });

  it('holds no text that the API refuses', async () => {
    const { client, server } = await withClient();
    const driver = openaiChat(client, { model: 'gpt-fake' });
    const call = { id: 'c1', name: '', arguments: '{}' };
    const odd = [
      { role: 'user', text: '' },
      { role: 'assistant', text: 'cut \ud83d' },
      { role: 'assistant', calls: [call] },
      { role: 'tool', callId: 'c1', value: { text: '\ud83d' } },
    ] as const;
    await collect(driver.stream({ messages: odd }));
    const wire = { id: 'c1', type: 'function', function: { name: '_', arguments: '{}' } };
    expect(server.requests[0]?.body).toMatchObject({
      messages: [
        { role: 'user', content: ' ' },
        { role: 'assistant', content: 'cut \ufffd' },
        { role: 'assistant', content: null, tool_calls: [wire] },
        { role: 'tool', tool_call_id: 'c1' },
      ],
    });
  });
});

describe('a server in trouble before the first piece', () => {
  it.each([408, 409, 429, 500, 503])('is asked again after status %d', async (status) => {
    const { ask, server } = await startChat();
    server.fault({ kind: 'status', status, retryAfterSeconds: soon });
    expect(await ask()).toEqual(answer);
    expect(server.requests).toHaveLength(2);
  });

  it.each(['reset', 'half-body', 'not-json', 'stall'] as const)(
    'is asked again after %s',
    async (kind) => {
      // Without the usage, half of an empty answer is a chunk with nothing in it.
      const request = { stream_options: undefined };
      const { ask, server } = await startChat({ firstTokenTimeoutMs: 300, request });
      if (kind !== 'reset') server.reply({});
      server.fault({ kind });
      expect(await ask()).toEqual([...answer.slice(0, -1), { kind: 'end', reason: 'stop' }]);
      expect(server.requests).toHaveLength(2);
    },
  );

  it.each<[number, ChatErrorCode, number]>([
    [400, 'rejected', 1],
    [401, 'unauthorized', 1],
    [403, 'unauthorized', 1],
    [404, 'rejected', 1],
    [429, 'rate-limited', 3],
    [500, 'unavailable', 3],
  ])('fails with status %d as %s, after %d tries', async (status, code, tries) => {
    const { ask, server } = await startChat({ maxRetries: 2 });
    server.fault({ kind: 'status', status, retryAfterSeconds: soon }, { times: 9 });
    const error = await chatFailure(ask);
    expect(error.code).toBe(code);
    expect(error.message).toBe(`The chat request failed: ${code}, status ${status}.`);
    expect(error.cause).toMatchObject({ status, requestId: `req_${tries}` });
    expect(server.requests).toHaveLength(tries);
  });

  it('is not waited for longer than a caller waits', async () => {
    const { ask, server } = await startChat({ firstTokenTimeoutMs: 1_000 });
    server.fault({ kind: 'status', status: 429, retryAfterSeconds: 3 });
    const began = performance.now();
    expect((await chatFailure(ask)).code).toBe('rate-limited');
    expect(performance.now() - began).toBeLessThan(900);
    expect(server.requests).toHaveLength(1);
  });

  it('is left when it does not answer, and asked once more', async () => {
    const { ask, server } = await startChat({ firstTokenTimeoutMs: 150 });
    server.fault({ kind: 'hang' }, { times: 2 });
    expect((await chatFailure(ask)).code).toBe('timeout');
    const ends = await Promise.all(server.requests.map(({ ended }) => ended));
    expect(ends).toEqual(['broken-off', 'broken-off']);
  });

  it('is not reached when it is closed', async () => {
    const { ask, server } = await startChat({ maxRetries: 0 });
    await server.close();
    const error = await chatFailure(ask);
    expect(error.code).toBe('unavailable');
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is not asked again when the caller hangs up during the pause', async () => {
    const { ask, server } = await startChat();
    server.fault({ kind: 'status', status: 429, retryAfterSeconds: 5 });
    const caller = new AbortController();
    const asking = ask(caller.signal);
    await server.arrived(1);
    await server.requests[0]?.ended;
    caller.abort();
    await expect(asking).rejects.toBe(caller.signal.reason);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a server in trouble after the first piece', () => {
  it.each([
    ['stall', 'timeout'],
    ['half-body', 'broken-off'],
  ] as const)('fails the answer with %s as %s, and is not asked again', async (kind, code) => {
    const { ask, server } = await startChat({ idleTimeoutMs: 150 });
    server.fault({ kind });
    expect((await chatFailure(ask)).code).toBe(code);
    expect(await server.requests[0]?.ended).toBe('broken-off');
    expect(server.requests).toHaveLength(1);
  });

  it('is not blamed for a reader who takes his time', async () => {
    const { client } = await withClient();
    const driver = openaiChat(client, { model: 'gpt-fake', idleTimeoutMs: 50 });
    const kinds: string[] = [];
    for await (const { kind } of driver.stream({ messages })) {
      kinds.push(kind);
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    expect(kinds).toEqual(['text', 'text', 'text', 'text', 'end']);
  });
});

describe('the console', () => {
  it('stays empty with a client that does not log', async () => {
    const methods = ['debug', 'error', 'info', 'log', 'warn'] as const;
    const spies = methods.map((method) => vi.spyOn(console, method));
    onTestFinished(() => void vi.restoreAllMocks());
    const { ask, server } = await startChat({ maxRetries: 0 });
    server.fault({ kind: 'not-json' });
    expect((await chatFailure(ask)).code).toBe('broken-off');
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });
});

describe('options', () => {
  it('take a client for Azure', () => {
    const options = { apiKey: 'k', endpoint: 'https://example.test', apiVersion: '2024-10-21' };
    const driver = openaiChat(new AzureOpenAI(options), { model: 'front-desk' });
    expect(driver).toHaveProperty('stream');
  });

  it.each([{ firstTokenTimeoutMs: 0 }, { idleTimeoutMs: Number.NaN }, { maxRetries: -1 }])(
    'are refused when they are wrong: %j',
    (wrong) => {
      const client = new OpenAI({ apiKey: 'k' });
      expect(() => openaiChat(client, { model: 'gpt-fake', ...wrong })).toThrow(RangeError);
    },
  );
});

async function withClient() {
  const server = await startFakeOpenAI({
    apiKey: key,
    chat: () => ({ text: 'It is in Rome.' }),
  });
  onTestFinished(() => server.close());
  return { server, client: new OpenAI({ apiKey: key, baseURL: server.url, logLevel: 'off' }) };
}
