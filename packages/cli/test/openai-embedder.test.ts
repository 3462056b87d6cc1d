import { cp, mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startFakeOpenAI, type FakeOpenAI } from '@cuecard/testing';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { folderOfDocuments, query } from './few-documents.js';
import { cuecard, temporaryFolder, type Ended } from './run-cli.js';

const folder = folderOfDocuments();
const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const key = 'sk-secret-4711';

async function startServer(): Promise<FakeOpenAI> {
  const server = await startFakeOpenAI({ apiKey: key });
  onTestFinished(() => server.close());
  return server;
}

function withServer({ url }: FakeOpenAI, ...args: readonly string[]): Promise<Ended> {
  const environment = { OPENAI_API_KEY: key, OPENAI_BASE_URL: url };
  return cuecard(args, { cwd: folder(), environment });
}

const withoutKey = (...args: readonly string[]): Promise<Ended> =>
  cuecard(args, { cwd: folder(), environment: { OPENAI_API_KEY: '' } });

/** The command line with its dependencies and none of its optional peers. */
async function programAlone(): Promise<string> {
  const alone = await temporaryFolder();
  await cp(here('dist'), join(alone, 'dist'), { recursive: true });
  await cp(here('package.json'), join(alone, 'package.json'));
  for (const name of ['@cuecard/core', 'commander', 'jiti', 'cli-progress']) {
    const link = join(alone, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(here(`node_modules/${name}`)), link);
  }
  return join(alone, 'dist');
}

describe('cuecard --embedder openai', () => {
  let baked: Ended | undefined;

  beforeAll(async () => {
    const server = await startFakeOpenAI({ apiKey: key });
    const args = ['bake', 'docs', '--index', 'index', '--embedder', 'openai'];
    baked = await withServer(server, ...args);
    await server.close();
  });

  it('bakes vectors of its default model', async () => {
    expect(baked?.code).toBe(0);
    const { stdout } = await withoutKey('inspect', 'index', '--json');
    const embedder = { id: 'text-embedding-3-small', dimensions: 1536 };
    expect(JSON.parse(stdout)).toMatchObject({ settings: { mode: 'hybrid' }, embedder });
  });

  it('is taken by itself for an index that was baked with it, where there is a key', async () => {
    const server = await startServer();
    const { code, stdout, stderr } = await withServer(server, 'look', query, 'index', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'hybrid', status: 'found' });
    expect(server.requests).toHaveLength(1);
  });

  it('gives way to keywords where there is no key, and says so', async () => {
    const { code, stdout, stderr } = await withoutKey('look', 'dogs in the cabin', 'index');
    expect(code).toBe(0);
    expect(stdout).toMatch(/— pets\.md\n\n1 passage in .* \(keyword\)\.\n$/);
    expect(stderr).toBe(
      "warning: the index was baked with embedder 'text-embedding-3-small': OPENAI_API_KEY is not set. Searching by keywords alone.\n",
    );
  });

  it('is insisted on where a mode is given', async () => {
    const { code, stderr } = await withoutKey('look', query, 'index', '--mode', 'meaning');
    expect(code).toBe(2);
    expect(stderr).toContain('OPENAI_API_KEY is not set');
  });

  it('stops a bake that has no key, and names the variable', async () => {
    const args = ['bake', 'docs', '--index', 'other', '--embedder', 'openai', '--json'];
    const { code, stdout } = await withoutKey(...args);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'credential-missing' } });
    expect(stdout).toContain('OPENAI_API_KEY');
  });

  it('says that keywords alone answered when it fails in a lookup', async () => {
    const server = await startServer();
    await server.close();
    const { code, stdout, stderr } = await withServer(server, 'look', 'dogs in the cabin', 'index');
    expect(code).toBe(0);
    expect(stdout).toMatch(/— pets\.md\n/);
    expect(stdout).toMatch(/ \(hybrid\)\.\nBy keywords alone, because of: embedder-failed\.\n$/);
    expect(stdout + stderr).not.toContain(key);
  });
});

describe('an embedder that is not installed', () => {
  it.each([
    ['local', 'npm install @cuecard/local'],
    ['openai', 'npm install @cuecard/openai openai'],
  ])('ends with 2 and says what to install: %s', async (name, install) => {
    const program = await programAlone();
    const args = ['bake', 'docs', '--index', 'other', '--embedder', name];
    const told = await cuecard(args, { cwd: folder(), program });
    expect(told).toMatchObject({ code: 2, stdout: '' });
    expect(told.stderr).toContain(`embedder '${name}' is not installed; run: ${install}`);
    const asJson = await cuecard([...args, '--json'], { cwd: folder(), program });
    expect(JSON.parse(asJson.stdout)).toMatchObject({ error: { code: 'usage-invalid' } });
  });

  it('leaves an index that was baked with it to keywords', async () => {
    const args = ['bake', 'docs', '--index', 'local', '--embedder', 'local'];
    await cuecard(args, { cwd: folder() });
    const looked = await cuecard(['look', 'dogs in the cabin', 'local', '--json'], {
      cwd: folder(),
      program: await programAlone(),
    });
    expect(looked.code).toBe(0);
    expect(JSON.parse(looked.stdout)).toMatchObject({ mode: 'keyword', status: 'found' });
    expect(looked.stderr).toContain("embedder 'local' is not installed");
    expect(looked.stderr).toContain('Searching by keywords alone.');
  });
});
