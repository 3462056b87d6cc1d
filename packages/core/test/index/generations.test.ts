import { chmod, chown, mkdir, readdir, rm, stat, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openIndex } from '../../src/index/open-index.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  ask,
  bakeEdition,
  base,
  documentsFolder,
  queries,
  readIndex,
  reseal,
  settings,
  writeIndex,
} from './baked-index.js';
import { Child } from './child.js';
import { openFiles } from './held-files.js';
import { canBeNobody, isRoot, nobody } from './nobody.js';

async function open(indexDir: string) {
  const generation = await openIndex(indexDir, { inMemory: false, accept: () => undefined });
  if (!generation) throw new Error('there is no index');
  return generation;
}

function textsOf(generation: Awaited<ReturnType<typeof open>>): string[] {
  const hits = generation.keywords.search(['gold', 'club'], 3);
  return hits.map(({ passage }) => generation.passages.text(passage));
}

async function generationsIn(indexDir: string): Promise<string[]> {
  return (await readdir(indexDir)).filter((name) => /^[0-9a-f]{32}$/.test(name));
}

describe('a generation in use', () => {
  it('is read by a lookup that has acquired it, after it was retired and its folder removed', async () => {
    const indexDir = await bakeEdition('one');
    const generation = await open(indexDir);
    const release = generation.acquire();
    const before = textsOf(generation);
    generation.retire();
    await rm(indexDir, { recursive: true });
    expect(before).toHaveLength(3);
    expect(textsOf(generation)).toEqual(before);
    release();
  });

  it.skipIf(process.platform !== 'linux')(
    'closes its files after it was retired and the last lookup has ended, and not before',
    async () => {
      const indexDir = await bakeEdition('one');
      const generation = await open(indexDir);
      const [first, second] = [generation.acquire(), generation.acquire()];
      expect(await openFiles(indexDir)).toBe(2);
      first();
      first();
      generation.retire();
      generation.retire();
      expect(await openFiles(indexDir)).toBe(2);
      second();
      await expect.poll(() => openFiles(indexDir)).toBe(0);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'leaves no file open when a start is refused or a base is closed',
    async () => {
      const indexDir = await bakeEdition('one');
      const started = base({ indexDir });
      await started.start();
      await started.close();
      await expect.poll(() => openFiles(indexDir)).toBe(0);
      await expect(base({ indexDir, chunkSize: 50 }).start()).rejects.toMatchObject({
        code: 'index-mismatch',
      });
      await truncate(join(indexDir, (await readIndex(indexDir)).generation, 'passages.idx'), 100);
      await expect(base({ indexDir }).start()).rejects.toMatchObject({ code: 'index-corrupt' });
      expect(await openFiles(indexDir)).toBe(0);
    },
  );

  it('is unavailable, not a crash, when its file is cut short in place; with storage memory it goes on', async () => {
    const indexDir = await bakeEdition('one');
    const [mapped, memory] = [
      base({ indexDir, storage: 'mapped' }),
      base({ indexDir, storage: 'memory' }),
    ];
    await Promise.all([mapped.start(), memory.start()]);
    const before = await memory.lookUp('gold club');
    await truncate(join(indexDir, (await readIndex(indexDir)).generation, 'passages.bin'), 10);
    expect(await mapped.lookUp('gold club')).toEqual({ error: 'lookup unavailable' });
    expect(await memory.lookUp('gold club')).toEqual(before);
    await Promise.all([mapped.close(), memory.close()]);
  });
});

describe('generations that are not current', () => {
  it('stay for one more bake, and go once they are older than a minute', async () => {
    const indexDir = await tempFolder();
    const baked: string[] = [];
    for (const edition of ['one', 'two', 'three']) {
      const { generation } = await base({
        documents: await documentsFolder(edition),
        indexDir,
      }).bake();
      baked.push(generation);
    }
    expect(new Set(await generationsIn(indexDir))).toEqual(new Set(baked));
    const longAgo = new Date(Date.now() - 61_000);
    await Promise.all(baked.map((name) => utimes(join(indexDir, name), longAgo, longAgo)));
    const { generation } = await base({
      documents: await documentsFolder('four'),
      indexDir,
    }).bake();
    expect(new Set(await generationsIn(indexDir))).toEqual(new Set([generation, baked[2]]));
  });

  it('leave folders of other people alone', async () => {
    const indexDir = await bakeEdition('one');
    const longAgo = new Date(0);
    for (const name of ['notes', '.git', 'abc']) {
      await mkdir(join(indexDir, name));
      await utimes(join(indexDir, name), longAgo, longAgo);
    }
    await base({ documents: await documentsFolder('two'), indexDir }).bake();
    expect(await readdir(indexDir)).toEqual(expect.arrayContaining(['notes', '.git', 'abc']));
  });
});

describe('an index that cannot be reached', () => {
  it('is index-corrupt when an artefact of the right size is a folder', async () => {
    const indexDir = await tempFolder();
    const folder = join(indexDir, 'folder');
    await mkdir(folder);
    const intact = await readIndex(await bakeEdition('one'));
    const { size } = await stat(folder);
    const index = reseal(intact, new Map([['passages.bin', Buffer.alloc(size, 'x')]]));
    await writeIndex(indexDir, index);
    const path = join(indexDir, index.generation, 'passages.bin');
    await rm(path);
    await mkdir(path);
    await expect(base({ indexDir }).start()).rejects.toMatchObject({ code: 'index-corrupt' });
  });

  it('is index-unwritable when a file stands where its folder should be', async () => {
    const documents = await documentsFolder('one');
    const indexDir = join(documents, 'codes.txt');
    await expect(base({ documents, indexDir }).bake()).rejects.toMatchObject({
      code: 'index-unwritable',
    });
  });

  it.skipIf(!canBeNobody)(
    'is index-unwritable in a read-only folder, and stays as it was',
    async () => {
      const documents = await documentsFolder('two');
      const indexDir = await bakeEdition('one');
      const before = await ask(indexDir);
      await chmod(documents, 0o755);
      await chmod(indexDir, 0o555);
      const { said } = await new Child('bake', { ...settings, documents, indexDir }, nobody).ended;
      await chmod(indexDir, 0o755);
      expect(said).toEqual({ kind: 'failed', code: 'index-unwritable' });
      expect(await ask(indexDir)).toEqual(before);
    },
  );

  it.skipIf(!canBeNobody)(
    'is index-unreadable, not damaged, when an artefact or the manifest may not be read',
    async () => {
      const indexDir = await bakeEdition('one');
      await chmod(indexDir, 0o755);
      const { generation } = await readIndex(indexDir);
      for (const name of [
        join(generation, 'passages.idx'),
        join(generation, 'keywords.bin'),
        'manifest.json',
      ]) {
        const path = join(indexDir, name);
        await chmod(path, 0o000);
        if (isRoot) await chown(path, 0, 0);
        const { said } = await new Child(
          'read',
          { options: { ...settings, indexDir }, queries: queries.slice(0, 1), once: true },
          nobody,
        ).ended;
        await chmod(path, 0o444);
        expect(said).toMatchObject({
          kind: 'read',
          seen: [expect.stringMatching(/^index-unreadable: /)],
        });
      }
    },
  );
});
