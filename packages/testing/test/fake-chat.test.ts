import { describe, expect, it, onTestFinished } from 'vitest';

import {
  readChatRequest,
  startFakeOpenAI,
  toHostRequest,
  type FakeOpenAI,
  type FakeOpenAIOptions,
} from '../src/index.js';

const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
const hello = [{ role: 'user', content: 'Hello there' }];
const refund = { name: 'look_up', arguments: { query: 'refund' } };
const broken = { name: 'look_up', arguments: '{"query": "ref' };

async function start(options?: FakeOpenAIOptions): Promise<FakeOpenAI> {
  const server = await startFakeOpenAI(options);
  onTestFinished(() => server.close());
  return server;
}

function chat(server: FakeOpenAI, body: object = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'gpt-fake', messages: hello, ...body }),
    ...(signal ? { signal } : {}),
  });
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly tool_calls?: readonly CallDelta[] } }[];
}

interface CallDelta {
  readonly index: number;
  readonly id?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}

/** The chunks of a stream that came to its end. */
async function chunks(response: Response): Promise<Chunk[]> {
  const events = (await response.text()).split('\n\n').filter((event) => event !== '');
  expect(events.at(-1)).toBe('data: [DONE]');
  return events.slice(0, -1).map((event) => JSON.parse(event.replace(/^data: /, '')));
}

/** A tool as a request offers it. */
function offered(name: string): object {
  return { type: 'function', function: { name } };
}

function choice(delta: object): object {
  return { choices: [{ index: 0, delta }] };
}

describe('chat completions of the fake server', () => {
  it('answers a queued reply in one body', async () => {
    const server = await start();
    server.reply({ text: 'Good morning.' });
    expect(await (await chat(server)).json()).toMatchObject({
      object: 'chat.completion',
      model: 'gpt-fake',
      choices: [
        { message: { role: 'assistant', content: 'Good morning.' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    });
  });

  it('streams a text word by word, with the usage when it is asked for', async () => {
    const server = await start();
    server.reply({ text: 'Good  morning.\n' });
    const body = { stream: true, stream_options: { include_usage: true } };
    const got = await chunks(await chat(server, body));
    expect(got).toMatchObject([
      choice({ role: 'assistant', content: '' }),
      choice({ content: 'Good' }),
      choice({ content: '  morning.\n' }),
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { total_tokens: 4 } },
    ]);
  });

  it('streams parallel calls in pieces, told apart by their index', async () => {
    const server = await start();
    server.reply({ calls: [refund, broken] });
    const got = await chunks(await chat(server, { stream: true }));
    const calls = new Map<number, { id: string; name: string; text: string }>();
    const pieces = got.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    for (const delta of pieces) {
      const call = calls.get(delta.index) ?? { id: '', name: '', text: '' };
      call.id += delta.id ?? '';
      call.name += delta.function.name ?? '';
      call.text += delta.function.arguments;
      calls.set(delta.index, call);
    }
    expect([...calls.values()]).toEqual([
      { id: 'call_chatcmpl-1_1', name: 'look_up', text: '{"query":"refund"}' },
      { id: 'call_chatcmpl-1_2', name: 'look_up', text: '{"query": "ref' },
    ]);
    expect(got.at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });
  });

  it('asks its model once the queue is empty, and refuses without one', async () => {
    const server = await start({
      chat: ({ messages, tools }) => ({ text: `${messages.at(-1)?.content}, ${tools.join()}` }),
    });
    const tools = [offered('look_up')];
    server.reply({ text: 'queued' });
    expect(await (await chat(server, { tools })).text()).toContain('"queued"');
    expect(await (await chat(server, { tools })).text()).toContain('"Hello there, look_up"');
    expect((await chat(await start())).status).toBe(500);
  });

  it('refuses what the API refuses', async () => {
    const server = await start({ chat: () => ({ text: 'fine' }) });
    const call = { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{}' } };
    const asked = { role: 'assistant', content: null, tool_calls: [call] };
    const result = { role: 'tool', tool_call_id: 'c1', content: '{}' };
    const statuses = async (...bodies: object[]): Promise<number[]> =>
      Promise.all(bodies.map(async (body) => (await chat(server, body)).status));
    expect(
      await statuses(
        { messages: [] },
        { model: '' },
        { tools: [] },
        { tools: [offered('look up')] },
        { tools: [offered('a'), offered('a')] },
        { messages: [...hello, asked] },
        { messages: [...hello, asked, ...hello, result] },
        { messages: [...hello, result] },
      ),
    ).toEqual(Array.from({ length: 8 }, () => 400));
    expect(await statuses({ messages: [...hello, asked, result] })).toEqual([200]);
  });

  it('lists its models, and keeps faults for what is posted', async () => {
    const server = await start({ chat: () => ({ text: 'fine' }) });
    server.fault({ kind: 'status', status: 503 });
    expect((await fetch(`${server.url}/models`, { headers })).status).toBe(200);
    expect((await chat(server)).status).toBe(503);
    expect((await chat(server)).status).toBe(200);
  });

  it('breaks a stream off in the middle', async () => {
    const server = await start({ chat: () => ({ text: 'one two three four' }) });
    server.fault({ kind: 'half-body' });
    await expect(
      chat(server, { stream: true }).then((response) => response.text()),
    ).rejects.toThrow('terminated');
    expect(await server.requests[0]?.ended).toBe('broken-off');
  });

  it('spoils the JSON of a stream', async () => {
    const server = await start({ chat: () => ({ text: 'one' }) });
    server.fault({ kind: 'not-json' });
    await expect(chunks(await chat(server, { stream: true }))).rejects.toThrow(SyntaxError);
  });

  it('waits between the pieces, and stops when the reader goes', async () => {
    const server = await start({ chat: () => ({ text: 'a '.repeat(500) }), tokenMs: 20 });
    const reader = new AbortController();
    const response = await chat(server, { stream: true }, reader.signal);
    expect(response.status).toBe(200);
    reader.abort();
    expect(await server.requests[0]?.ended).toBe('broken-off');
  });

  it('reads messages made of parts', () => {
    const content = [
      { type: 'text', text: 'Hello ' },
      { type: 'text', text: 'there' },
    ];
    const { messages, stream } = readChatRequest({ messages: [{ role: 'user', content }] });
    expect({ messages, stream }).toEqual({
      messages: [{ role: 'user', content: 'Hello there', calls: [], callId: undefined }],
      stream: false,
    });
    expect(readChatRequest(undefined).messages).toEqual([]);
  });
});

describe('a model request, seen as a conformance suite of hosts sees it', () => {
  it('has the results since the caller spoke last', () => {
    const request = readChatRequest({
      tools: [offered('look_up')],
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'tool', tool_call_id: 'c0', content: 'old' },
        ...hello,
        { role: 'tool', tool_call_id: 'c1', content: '{"results":[]}' },
        { role: 'assistant', content: 'Hm.' },
      ],
    });
    expect(toHostRequest(request)).toEqual({
      tools: ['look_up'],
      results: ['{"results":[]}'],
      instructions: 'Be kind.',
    });
  });
});
