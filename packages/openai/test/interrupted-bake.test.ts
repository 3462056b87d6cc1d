import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KnowledgeBase } from '@cuecard/core';
import type { FakeOpenAI, Fault } from '@cuecard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

import { failure, inputOf, start } from './support.js';

const rooms = 250;
const facts = Array.from({ length: rooms }, (_, at) => `Room ${at} looks out on garden ${at * 3}.`);
const timeoutMs = 2_000;

const faults: readonly Fault[] = [
  { kind: 'status', status: 429, retryAfterSeconds: 0.005 },
  { kind: 'status', status: 500 },
  { kind: 'reset' },
  { kind: 'hang' },
];

/** A base of 250 passages, which go in three requests, and its server. */
async function baseWithServer(): Promise<{
  knowledge: KnowledgeBase;
  server: FakeOpenAI;
  indexDir: string;
}> {
  const { server, embedder } = await start({ maxRetries: 0, timeoutMs, dimensions: 64 });
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [documents, indexDir] = [join(folder, 'documents'), join(folder, 'index')];
  await mkdir(documents);
  await Promise.all(
    facts.map((fact, at) => writeFile(join(documents, `room-${at}.txt`), `${fact}\n`)),
  );
  const knowledge = new KnowledgeBase({
    name: 'rooms',
    documents,
    indexDir,
    language: 'en',
    embed: () => embedder,
  });
  return { knowledge, server, indexDir };
}

/** The index as bytes, file by file. */
async function bytesOf(indexDir: string): Promise<readonly string[]> {
  const names = (await readdir(indexDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    names.toSorted().map(async (path) => {
      const bytes = await readFile(path);
      return `${path.slice(indexDir.length)} ${bytes.toString('base64')}`;
    }),
  );
}

let clean: Promise<readonly string[]> | undefined;

/** What a bake without any fault gives. */
function cleanBytes(): Promise<readonly string[]> {
  clean ??= baseWithServer().then(async ({ knowledge, indexDir }) => {
    await knowledge.bake();
    return bytesOf(indexDir);
  });
  return clean;
}

describe('a bake over HTTP', () => {
  const single: readonly Fault[] = [
    ...faults,
    { kind: 'half-body' },
    { kind: 'stall' },
    { kind: 'wrong-count' },
  ];
  it.each(single.map((fault) => ({ name: Object.values(fault).join(' '), fault })))(
    'goes on after one $name, and gives the same bytes',
    async ({ fault }) => {
      const { knowledge, server, indexDir } = await baseWithServer();
      server.fault({ kind: 'delay', milliseconds: 0 });
      server.fault(fault);
      const { embedding } = await knowledge.bake();
      expect(embedding).toEqual({ embedded: rooms, reused: 0, failed: 0 });
      expect(server.requests).toHaveLength(4);
      expect(await bytesOf(indexDir)).toEqual(await cleanBytes());
    },
    30_000,
  );

  it('that an outage ends is taken up by the next one, which asks only for the rest', async () => {
    const { knowledge, server, indexDir } = await baseWithServer();
    server.fault({ kind: 'delay', milliseconds: 0 });
    for (const fault of faults) server.fault(fault);
    const error = await failure(() => knowledge.bake(), facts);
    expect(error).toMatchObject({
      code: 'embedder-failed',
      embedding: { embedded: 100, reused: 0, failed: 150 },
    });
    expect(error.message).toContain('100 of 250 passages have their vectors');
    expect(server.requests).toHaveLength(5);
    const { embedding } = await knowledge.bake();
    expect(embedding).toEqual({ embedded: 150, reused: 100, failed: 0 });
    const asked = server.requests.slice(5).flatMap((request) => inputOf(request));
    const paid = new Set(inputOf(server.requests[0]));
    expect(asked).toHaveLength(150);
    expect(asked.filter((text) => paid.has(text))).toEqual([]);
    expect(await bytesOf(indexDir)).toEqual(await cleanBytes());
  }, 30_000);

  it('asks for nothing when nothing has changed', async () => {
    const { knowledge, server } = await baseWithServer();
    await knowledge.bake();
    await knowledge.bake();
    expect(server.requests).toHaveLength(3);
    await knowledge.bake({ fresh: true });
    expect(server.requests).toHaveLength(6);
  }, 30_000);
});
