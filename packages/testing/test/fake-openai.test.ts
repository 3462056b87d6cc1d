import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { hashVector, startFakeOpenAI, type FakeOpenAI } from '../src/index.js';

async function start(): Promise<FakeOpenAI> {
  const server = await startFakeOpenAI();
  onTestFinished(() => server.close());
  return server;
}

function post(server: FakeOpenAI, body: object, key = 'test-key'): Promise<Response> {
  return fetch(`${server.url}/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
}

async function statuses(server: FakeOpenAI, count: number): Promise<number[]> {
  const seen: number[] = [];
  while (seen.length < count) seen.push((await post(server, { input: 'a' })).status);
  return seen;
}

describe('the fake server', () => {
  it('answers with floats, or with the same in base64', async () => {
    const server = await start();
    const floats = await post(server, { input: ['a', 'b'], dimensions: 4 });
    const vectors = ['a', 'b'].map((text) => hashVector(text, 4));
    expect(await floats.json()).toMatchObject({
      data: vectors.map((vector, index) => ({ index, embedding: [...vector] })),
    });
    const base64 = await post(server, { input: 'b', dimensions: 4, encoding_format: 'base64' });
    const embedding = Buffer.from(hashVector('b', 4).buffer).toString('base64');
    expect(await base64.json()).toMatchObject({ data: [{ index: 0, embedding }] });
  });

  it('gives each text a unit vector of its own, the same every time', () => {
    const vector = hashVector('a', 16);
    expect(vector).toEqual(hashVector('a', 16));
    expect(vector).not.toEqual(hashVector('b', 16));
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('refuses a wrong key, an empty text and an unknown path', async () => {
    const server = await start();
    expect((await post(server, { input: 'a' }, 'other')).status).toBe(401);
    expect((await post(server, { input: [''] })).status).toBe(400);
    const headers = { authorization: 'Bearer test-key' };
    expect((await fetch(`${server.url}/files`, { headers })).status).toBe(404);
  });

  it('records what was asked, without the key', async () => {
    const server = await start();
    await post(server, { input: 'a' });
    expect(server.requests[0]).toMatchObject({ path: '/v1/embeddings', body: { input: 'a' } });
    expect(JSON.stringify(server.requests)).not.toContain('test-key');
  });

  it('fails as often as asked, then answers', async () => {
    const server = await start();
    server.fault({ kind: 'status', status: 500 });
    server.fault({ kind: 'status', status: 429 }, { times: 2 });
    expect(await statuses(server, 4)).toEqual([500, 429, 429, 200]);
  });

  it('fails at random in a way that a seed repeats', async () => {
    const runs = await Promise.all(
      [7, 7, 8].map(async (seed) => {
        const server = await start();
        server.fault({ kind: 'status', status: 500 }, { probability: 0.5, seed });
        return statuses(server, 24);
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]).not.toEqual(runs[2]);
    expect(new Set(runs[0])).toEqual(new Set([200, 500]));
  });

  it('leaves no socket open when it is closed', async () => {
    const server = await startFakeOpenAI();
    const port = Number(new URL(server.url).port);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    server.fault({ kind: 'hang' });
    server.fault({ kind: 'delay', milliseconds: 60_000 });
    const calls = Promise.allSettled([post(server, { input: 'a' }), post(server, { input: 'b' })]);
    await server.arrived(2);
    const idleClosed = once(idle, 'close');
    await server.close();
    await idleClosed;
    expect((await calls).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const late = connect(port, '127.0.0.1');
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
