import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseManifest } from '../../src/index/manifest.js';
import { publish } from '../../src/index/publish.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  ask,
  type BakedIndex,
  base,
  bakeEdition,
  documentsFolder,
  queries,
  readIndex,
  settings,
  silent,
} from './baked-index.js';
import { Child } from './child.js';

const readers = 2;
const bakes = 10;
const longAgo = new Date(Date.now() - 3_600_000);

/** Readers in processes of their own, all of them in the middle of their loops. */
async function startReaders(indexDir: string): Promise<Child[]> {
  const children = Array.from({ length: readers }, (_, at) => {
    const options = { ...settings, indexDir, storage: at % 2 === 0 ? 'mapped' : 'memory' };
    return new Child('read', { options, queries });
  });
  await Promise.all(children.map((child) => child.says('reading')));
  return children;
}

/** Stops them and gives every different set of answers they have had. */
async function stopReaders(children: readonly Child[]): Promise<Set<string>> {
  for (const child of children) child.tell('stop');
  const endings = await Promise.all(children.map((child) => child.ended));
  for (const { code, said } of endings)
    expect({ code, kind: said?.kind }).toEqual({ code: 0, kind: 'read' });
  return new Set(endings.flatMap(({ said }) => (said?.kind === 'read' ? said.seen : [])));
}

/** Makes every generation older than the time for which bakes leave others alone. */
async function age(indexDir: string): Promise<void> {
  const generations = (await readdir(indexDir)).filter((name) => /^[0-9a-f]{32}$/.test(name));
  await Promise.all(generations.map((name) => utimes(join(indexDir, name), longAgo, longAgo)));
}

describe('readers in other processes', () => {
  it.each([
    ['two', 2],
    ['three, each removed before it comes again', 3],
  ] as const)(
    'see wholly one index or another while bakes go through %s',
    async (_, count) => {
      const editions = ['one', 'two', 'three'].slice(0, count);
      const documents = await Promise.all(editions.map((edition) => documentsFolder(edition)));
      const indexDir = await tempFolder();
      const states = new Set<string>();
      for (const folder of documents.toReversed()) {
        await base({ documents: folder, indexDir }).bake();
        states.add(JSON.stringify(await ask(indexDir)));
      }
      const children = await startReaders(indexDir);
      for (let turn = 0; turn < bakes; turn++) {
        if (count > 2) await age(indexDir);
        await base({ documents: documents[turn % count], indexDir }).bake();
      }
      const seen = await stopReaders(children);
      expect([...seen].filter((answers) => !states.has(answers))).toEqual([]);
      expect(seen.size).toBeGreaterThan(1);
    },
    60_000,
  );
});

function publishInto(indexDir: string, { manifestText, files }: BakedIndex): Promise<boolean> {
  return publish(indexDir, parseManifest(manifestText), files);
}

describe('two bakes at once into one folder', () => {
  it.each(['the same documents', 'different documents'])(
    'end well in one process with %s',
    async (kind) => {
      const first = await documentsFolder('one');
      const second = kind === 'the same documents' ? first : await documentsFolder('two');
      for (let turn = 0; turn < 5; turn++) {
        const indexDir = await tempFolder();
        const reports = await Promise.all(
          [first, second].map((documents) => base({ documents, indexDir }).bake()),
        );
        const { generation } = await ask(indexDir);
        expect(reports.map((report) => report.generation)).toContain(generation);
        expect((await readdir(indexDir)).filter((name) => name.startsWith('.bake-'))).toEqual([]);
      }
    },
    30_000,
  );

  it.each(['the same documents', 'different documents'])(
    'end well in two processes with %s',
    async (kind) => {
      const first = await documentsFolder('one');
      const second = kind === 'the same documents' ? first : await documentsFolder('two');
      const indexDir = await tempFolder();
      const children = [first, second].map(
        (documents) => new Child('bake', { ...settings, documents, indexDir }),
      );
      const endings = await Promise.all(children.map((child) => child.ended));
      const baked = endings.flatMap(({ said }) =>
        said?.kind === 'baked' ? [said.generation] : [],
      );
      expect(baked).toHaveLength(2);
      expect(baked).toContain((await ask(indexDir)).generation);
    },
    30_000,
  );

  it.each(['the same documents', 'different documents'])(
    'publish well even where neither waited for the other, with %s',
    async (kind) => {
      const first = await readIndex(await bakeEdition('one'));
      const second =
        kind === 'the same documents' ? first : await readIndex(await bakeEdition('two'));
      for (let turn = 0; turn < 10; turn++) {
        const indexDir = await tempFolder();
        await Promise.all([first, second].map((index) => publishInto(indexDir, index)));
        const { generation } = await ask(indexDir);
        expect([first.generation, second.generation]).toContain(generation);
        expect((await readdir(indexDir)).filter((name) => name.startsWith('.bake-'))).toEqual([]);
      }
    },
    30_000,
  );

  it('never moves an intact generation out of the way of its readers', async () => {
    const source = await bakeEdition('two');
    const indexDir = await bakeEdition('one');
    const late = new Child('publish', {
      source,
      folders: [indexDir],
      mishap: 'hold',
      call: 'sync',
    });
    await late.says('held');
    await base({ documents: await documentsFolder('two'), indexDir }).bake();
    const running = base({ indexDir, logger: silent });
    await running.start();
    const folder = join(indexDir, (await readIndex(indexDir)).generation);
    await writeFile(join(folder, 'mark'), '');
    late.tell('go on');
    await late.ended;
    expect(await readdir(folder)).toContain('mark');
    await running.close();
  });

  it('never removes a generation that another bake has just named again', async () => {
    const indexDir = await bakeEdition('one');
    const again = await documentsFolder('one');
    await base({ documents: await documentsFolder('two'), indexDir }).bake();
    await age(indexDir);
    const other = new Child('publish', {
      source: await bakeEdition('three'),
      folders: [indexDir],
      mishap: 'hold',
      call: 'readdir',
    });
    await other.says('held');
    const { generation } = await base({ documents: again, indexDir }).bake();
    other.tell('go on');
    await other.ended;
    expect((await ask(indexDir)).generation).toBe(generation);
  });
});
