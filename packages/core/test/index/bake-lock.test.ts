import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { processMark } from '../../src/index/process-mark.js';
import type { BakeProgress } from '../../src/progress.js';
import { tempFolder } from '../support/temp-folder.js';
import { WatchedEmbedder } from '../support/watched-embedder.js';
import { base, documentsFolder, readIndex, settings } from './baked-index.js';
import { Child, type ChildOptions } from './child.js';
import { vectorBase } from './vector-base.js';

const [here] = processMark().split('-');
const elsewhere = 'ffffffff';
const longAgo = new Date(Date.now() - 3_600_000);

/** Starts node where it sees no process of ours, and has our host name. */
const unshare = ['--user', '--map-root-user', '--pid', '--fork', process.execPath];
const inContainer: ChildOptions = { execPath: 'unshare', execArgv: unshare };
const hasContainers = spawnSync('unshare', [...unshare, '--version']).status === 0;

let documents: string;

beforeAll(async () => {
  documents = await documentsFolder('one');
});

/** A folder whose lock says what is given. */
async function lockedFolder(owner: string, at = new Date()): Promise<string> {
  const indexDir = await tempFolder();
  const path = join(indexDir, '.lock');
  await writeFile(path, owner);
  await utimes(path, at, at);
  return indexDir;
}

/** The id of a process that is no more. */
async function deadProcess(): Promise<number> {
  const child = new Child('bake', { ...settings, documents, indexDir: await tempFolder() });
  await child.ended;
  return child.id;
}

describe('a second bake of one folder', () => {
  it('waits for the first, and pays for nothing that the first has paid for', async () => {
    const indexDir = await tempFolder();
    const events = new EventTarget();
    const phases = new Set<BakeProgress['phase']>();
    const begun = once(events, 'begun');
    const first = new WatchedEmbedder((call) => {
      if (call === 1) events.dispatchEvent(new Event('begun'));
      return call === 2 ? once(events, 'go on') : undefined;
    });
    const second = new WatchedEmbedder();
    const firstBake = vectorBase({ documents, indexDir, embed: () => first }).bake();
    await begun;
    const bakes = [
      firstBake,
      vectorBase({ documents, indexDir, embed: () => second }).bake({
        onProgress({ phase }) {
          phases.add(phase);
          if (phase === 'wait') events.dispatchEvent(new Event('go on'));
        },
      }),
    ];
    const reports = await Promise.all(bakes);
    expect(reports.map(({ written }) => written)).toEqual([true, false]);
    expect(second.texts).toEqual([]);
    expect([...phases][0]).toBe('wait');
    expect((await readdir(indexDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('waits for one of another process', async () => {
    const indexDir = await tempFolder();
    const options = { ...settings, documents, indexDir };
    const first = new Child('bake-vectors', { options, holdAt: 3 });
    await first.says('held');
    const second = new Child('bake-vectors', { options });
    const { said: refused } = await new Child('bake-vectors', { options, bake: { waitMs: 200 } })
      .ended;
    expect(refused).toEqual({ kind: 'failed', code: 'index-busy' });
    first.tell('go on');
    const ends = await Promise.all([first.ended, second.ended]);
    const embeddings = ends.map(({ said }) =>
      said?.kind === 'baked' ? said.embedding : undefined,
    );
    expect(embeddings).toEqual([
      { embedded: 63, reused: 0, failed: 0 },
      { embedded: 0, reused: 63, failed: 0 },
    ]);
  });

  it.skipIf(!hasContainers)('waits for one of a container with the same host name', async () => {
    const indexDir = await tempFolder();
    const options = { ...settings, documents, indexDir };
    const child = { options, bake: { waitMs: 0 } };
    let said: unknown;
    const embed = () =>
      new WatchedEmbedder(async (call) => {
        if (call === 1) ({ said } = await new Child('bake-vectors', child, inContainer).ended);
      });
    await vectorBase({ documents, indexDir, embed }).bake();
    expect(said).toEqual({ kind: 'failed', code: 'index-busy' });
  });

  it('fails when it has waited long enough, and says what to do', async () => {
    const indexDir = await lockedFolder(`${here}-${process.ppid}-1`);
    const began = performance.now();
    const bake = base({ documents, indexDir }).bake({ waitMs: 300 });
    await expect(bake).rejects.toMatchObject({ code: 'index-busy', base: 'hotel' });
    await expect(bake).rejects.toThrow(/remove \.lock from the index folder/);
    expect(performance.now() - began).toBeGreaterThan(250);
    expect(await readdir(indexDir)).toEqual(['.lock']);
  });

  it('stops waiting when it is told to', async () => {
    const indexDir = await lockedFolder(`${here}-${process.ppid}-1`);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    const bake = base({ documents, indexDir }).bake({ signal: controller.signal, onProgress });
    await expect(bake).rejects.toThrow('enough');
  });

  it.each([Number.NaN, -1])('refuses to wait for %d milliseconds', async (waitMs) => {
    const bake = base({ documents, indexDir: await tempFolder() }).bake({ waitMs });
    await expect(bake).rejects.toMatchObject({ code: 'options-invalid', field: 'waitMs' });
  });
});

describe('a lock that was left behind', () => {
  it('by a dead process of this machine is taken over at once', async () => {
    const indexDir = await lockedFolder(`${here}-${await deadProcess()}-1`);
    expect((await base({ documents, indexDir }).bake({ waitMs: 0 })).written).toBe(true);
    expect(await readdir(indexDir)).not.toContain('.lock');
  });

  it.each([
    ['on another machine', `${elsewhere}-1-1`],
    [
      'in another thread of our process, or by an earlier one with its number',
      `${here}-${process.pid}-1`,
    ],
    ['whose number a living process has', `${here}-${process.ppid}-1`],
    ['that had not yet written into it', ''],
    ['of an unknown kind', '{"pid": 1}'],
  ])('by a bake %s is heeded until it is no longer renewed', async (_what, owner) => {
    const alive = await lockedFolder(owner);
    const bake = base({ documents, indexDir: alive }).bake({ waitMs: 0 });
    await expect(bake).rejects.toMatchObject({ code: 'index-busy' });
    const dead = await lockedFolder(owner, longAgo);
    expect((await base({ documents, indexDir: dead }).bake({ waitMs: 0 })).written).toBe(true);
  });

  it('is taken over by one of many, and the others pay for nothing', async () => {
    const indexDir = await lockedFolder(`${here}-${await deadProcess()}-1`);
    const embedders = Array.from({ length: 8 }, () => new WatchedEmbedder());
    const reports = await Promise.all(
      embedders.map((embedder) =>
        vectorBase({ documents, indexDir, embed: () => embedder }).bake(),
      ),
    );
    expect(reports.filter(({ written }) => written)).toHaveLength(1);
    expect(embedders.filter(({ texts }) => texts.length > 0)).toHaveLength(1);
  });
});

describe('a bake', () => {
  it('renews its lock while it is at work', async () => {
    const indexDir = await tempFolder();
    const path = join(indexDir, '.lock');
    const embedder = new WatchedEmbedder(async (call) => {
      if (call > 1) return;
      await utimes(path, longAgo, longAgo);
      await expect
        .poll(async () => (await stat(path)).mtimeMs, { timeout: 20_000 })
        .toBeGreaterThan(Date.now() - 60_000);
    });
    await vectorBase({ documents, indexDir, embed: () => embedder }).bake();
    expect(embedder.calls).toBe(4);
  }, 30_000);

  it('leaves the lock of another alone that has taken it over', async () => {
    const indexDir = await tempFolder();
    const path = join(indexDir, '.lock');
    const embed = () =>
      new WatchedEmbedder(async () => {
        await rm(path, { force: true });
        await writeFile(path, `${elsewhere}-1-1`);
      });
    expect((await vectorBase({ documents, indexDir, embed }).bake()).written).toBe(true);
    expect(await readFile(path, 'utf8')).toBe(`${elsewhere}-1-1`);
  });

  it('that fails leaves neither a lock nor a folder that was not there', async () => {
    const indexDir = join(await tempFolder(), 'index');
    const source = await tempFolder();
    for (let turn = 0; turn < 2; turn++)
      await expect(base({ documents: source, indexDir }).bake()).rejects.toMatchObject({
        code: 'documents-empty',
      });
    await expect(stat(indexDir)).rejects.toThrow('ENOENT');
    const { generation } = await base({ documents, indexDir }).bake();
    expect((await readIndex(indexDir)).generation).toBe(generation);
  });

  it('that is stopped while it writes leaves the index as it was', async () => {
    const indexDir = await tempFolder();
    const before = await base({ documents, indexDir }).bake();
    const controller = new AbortController();
    const other = base({ documents: await documentsFolder('two'), indexDir });
    const bake = other.bake({
      signal: controller.signal,
      onProgress: ({ phase, done }) => {
        if (phase === 'write' && done === 0) controller.abort(new Error('stopped'));
      },
    });
    await expect(bake).rejects.toThrow('stopped');
    expect(await readIndex(indexDir)).toMatchObject({ generation: before.generation });
  });
});
