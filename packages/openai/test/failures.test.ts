import { getEventListeners } from 'node:events';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { openaiEmbedder } from '../src/index.js';
import { failure, key, numbered, passage, start } from './support.js';

const texts = ['where is my zebra suitcase', 'the violet umbrella'];
const soon = 0.005;

describe('a server in trouble', () => {
  it.each([429, 500, 503])('is asked again after status %d', async (status) => {
    const { embedder, server } = await start();
    server.fault({ kind: 'status', status, retryAfterSeconds: soon });
    expect(await embedder.embed(texts, passage)).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
  });

  it('is asked again after a connection reset', async () => {
    const { embedder, server } = await start({ maxRetries: 1 });
    server.fault({ kind: 'reset' });
    expect(await embedder.embed(texts, passage)).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
  });

  it('is given up when the retries are used', async () => {
    const { embedder, server } = await start();
    server.fault({ kind: 'status', status: 429, retryAfterSeconds: soon }, { times: 3 });
    const error = await failure(() => embedder.embed(texts, passage), texts);
    expect(error.message).toBe(
      'The embeddings request failed: status 429, code fake_code, request id req_3.',
    );
    const facts = { status: 429, code: 'fake_code', type: 'fake_error', requestId: 'req_3' };
    expect(error.cause).toEqual(facts);
    expect(server.requests).toHaveLength(3);
  });

  it('is not asked again when it refuses the request', async () => {
    const { embedder, server } = await start();
    server.fault({ kind: 'status', status: 400 });
    const error = await failure(() => embedder.embed(texts, passage), texts);
    expect(error.cause).toMatchObject({ status: 400 });
    expect(server.requests).toHaveLength(1);
  });

  it('may refuse the key without the key being told', async () => {
    const { server } = await start();
    const wrong = 'sk-wrong-0815';
    const embedder = openaiEmbedder({ apiKey: wrong, baseURL: server.url });
    const error = await failure(() => embedder.embed(texts, passage), [...texts, wrong]);
    expect(error.cause).toMatchObject({ status: 401 });
  });

  it('is not reached with a key no header can hold, and the key is not told', async () => {
    const { server } = await start();
    const embedder = openaiEmbedder({ apiKey: `${key}\n${key}`, baseURL: server.url });
    await failure(() => embedder.embed(texts, passage), texts);
    expect(server.requests).toEqual([]);
  });

  it('fails the call when it closes the port', async () => {
    const { embedder, server } = await start({ maxRetries: 0 });
    await server.close();
    const error = await failure(() => embedder.embed(texts, passage), texts);
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['reset', 'no whole answer came, code ECONNRESET'],
    ['half-body', 'no whole answer came'],
    ['not-json', 'the answer is not JSON'],
    ['wrong-dimension', 'a vector has 1535 numbers instead of 1536'],
    ['wrong-count', '1 vectors for 2 texts'],
    ['same-index', 'no vector has index 1'],
    ['not-a-number', 'a vector is not finite or all zero'],
  ] as const)('fails the call with %s', async (kind, message) => {
    const { embedder, server } = await start({ maxRetries: 0 });
    server.fault({ kind });
    const error = await failure(() => embedder.embed(texts, passage), texts);
    expect(error.message).toContain(message);
  });

  it.each([
    null,
    'where is my zebra suitcase',
    {},
    { data: texts },
    { data: [null, null] },
    {
      data: [
        { index: 0, embedding: '' },
        { index: 1, embedding: 'AAAA' },
      ],
    },
    {
      data: [
        { index: 0, embedding: texts },
        { index: 1, embedding: texts },
      ],
    },
    {
      data: [
        { index: -1, embedding: [1, 0] },
        { index: 1, embedding: [1, 0] },
      ],
    },
    { data: [0, 1].map((index) => ({ index, embedding: 'AACAPwAAAAAA' })) },
    { data: [{ embedding: [1, 0] }, { embedding: [1, 0] }] },
    {
      data: [
        { index: 0, embedding: [0, 0] },
        { index: 1, embedding: [1, 0] },
      ],
    },
  ])('fails the call with the answer %j', async (answer) => {
    const client = { embeddings: { create: () => Promise.resolve(answer) } };
    const embedder = openaiEmbedder({ client, dimensions: 2 });
    const error = await failure(() => embedder.embed(texts, passage), texts);
    expect(error.message).toContain('The embeddings answer is not valid');
  });

  it('stops the other requests of a call that has failed', async () => {
    const { embedder, server } = await start({ maxRetries: 0 });
    server.fault({ kind: 'hang' }, { times: 3 });
    server.fault({ kind: 'status', status: 400 });
    const sent = numbered(800);
    await failure(() => embedder.embed(sent, passage), sent);
    const ends = await Promise.all(server.requests.map(({ ended }) => ended));
    expect(ends).toEqual(['broken-off', 'broken-off', 'broken-off', 'answered']);
  });
});

describe('a call that takes too long', () => {
  it.each([['hang'], ['stall']] as const)(
    'ends after timeoutMs when the server does %s',
    async (kind) => {
      const { embedder, server } = await start({ maxRetries: 0, timeoutMs: 50 });
      server.fault({ kind });
      const error = await failure(() => embedder.embed(texts, passage), texts);
      expect(error.message).toBe('The embeddings request failed: no answer in time.');
      expect(await server.requests[0]?.ended).toBe('broken-off');
    },
  );

  it('is tried again after a try that timed out', async () => {
    const { embedder, server } = await start({ maxRetries: 1, timeoutMs: 1_000 });
    server.fault({ kind: 'hang' });
    expect(await embedder.embed(texts, passage)).toHaveLength(2);
  });

  it('does not wait as long as a server asks', async () => {
    const { embedder, server } = await start({ maxRetries: 1, timeoutMs: 50 });
    server.fault({ kind: 'status', status: 429, retryAfterSeconds: 2 });
    const error = await failure(() => embedder.embed(texts, passage), texts);
    expect(error.message).toContain('no answer in time');
  });

  it.each([['hang'], ['stall']] as const)(
    'can be aborted while the server does %s',
    async (kind) => {
      const { embedder, server } = await start();
      server.fault({ kind }, { times: 3 });
      const caller = new AbortController();
      const call = embedder.embed(numbered(250), { kind: 'query', signal: caller.signal });
      await server.arrived(3);
      const reason = new Error('the caller hung up');
      caller.abort(reason);
      await expect(call).rejects.toBe(reason);
      const ends = await Promise.all(server.requests.map(({ ended }) => ended));
      expect(ends).toEqual(['broken-off', 'broken-off', 'broken-off']);
    },
  );

  it('can be aborted while the client waits before it tries again', async () => {
    const { embedder, server } = await start();
    server.fault({ kind: 'status', status: 429, retryAfterSeconds: 2 });
    const caller = new AbortController();
    const call = embedder.embed(texts, { kind: 'query', signal: caller.signal });
    await server.arrived(1);
    await server.requests[0]?.ended;
    caller.abort();
    await expect(call).rejects.toBe(caller.signal.reason);
    expect(server.requests).toHaveLength(1);
  });

  it('sends nothing when it was aborted before', async () => {
    const { embedder, server } = await start();
    const call = embedder.embed(texts, { kind: 'query', signal: AbortSignal.abort() });
    await expect(call).rejects.toThrow('aborted');
    expect(server.requests).toEqual([]);
  });

  it('sends nothing when it is aborted before the client is there', async () => {
    const { embedder, server } = await start();
    const caller = new AbortController();
    const call = embedder.embed(texts, { kind: 'query', signal: caller.signal });
    caller.abort();
    await expect(call).rejects.toBe(caller.signal.reason);
    expect(server.requests).toEqual([]);
  });

  it('leaves no listener on a signal that is used for many calls', async () => {
    const { embedder, server } = await start({ dimensions: 8, maxRetries: 0 });
    const { signal } = new AbortController();
    await embedder.embed(numbered(250), { kind: 'query', signal });
    server.fault({ kind: 'reset' });
    await embedder.embed(texts, { kind: 'query', signal }).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('the console', () => {
  it('stays empty, whatever fails and whatever OPENAI_LOG says', async () => {
    vi.stubEnv('OPENAI_LOG', 'debug');
    const methods = ['debug', 'error', 'info', 'log', 'warn'] as const;
    const spies = methods.map((method) => vi.spyOn(console, method));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    });
    const { embedder, server } = await start({ maxRetries: 1 });
    server.fault({ kind: 'status', status: 429, retryAfterSeconds: soon });
    await embedder.embed(texts, passage);
    server.fault({ kind: 'not-json' });
    await failure(() => embedder.embed(texts, passage), texts);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });
});
