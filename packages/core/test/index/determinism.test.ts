import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeDocuments, writeDocuments } from '../support/make-documents.js';
import { tempFolder } from '../support/temp-folder.js';
import { ask, bakeEdition, base, documentsFolder, readIndex, settings } from './baked-index.js';
import { Child } from './child.js';

/** Name and time of the last change of everything below a folder; in the folder itself a lock comes and goes. */
async function changeTimes(folder: string): Promise<Record<string, number>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const times = await Promise.all(
    names.map(async (name): Promise<[string, number]> => [
      name,
      (await stat(join(folder, name))).mtimeMs,
    ]),
  );
  return Object.fromEntries(times);
}

describe('a bake', () => {
  it('gives the same bytes for the same documents in another folder, after other bakes and in another process', async () => {
    const first = await readIndex(await bakeEdition('one'));
    await bakeEdition('something else that was baked in between');
    expect(await readIndex(await bakeEdition('one'))).toEqual(first);
    const indexDir = await tempFolder();
    await new Child('bake', { ...settings, documents: await documentsFolder('one'), indexDir })
      .ended;
    expect(await readIndex(indexDir)).toEqual(first);
  }, 30_000);

  it('gives the same bytes when the documents were written in another order', async () => {
    const documents = await tempFolder();
    await writeDocuments(documents, [...makeDocuments('one')].toReversed());
    const indexDir = await tempFolder();
    await base({ documents, indexDir }).bake();
    expect(await readIndex(indexDir)).toEqual(await readIndex(await bakeEdition('one')));
  });

  it('gives other bytes for other documents', async () => {
    const [one, two] = [
      await readIndex(await bakeEdition('one')),
      await readIndex(await bakeEdition('two')),
    ];
    expect(one.generation).not.toBe(two.generation);
  });

  it('writes nothing when nothing has changed', async () => {
    const documents = await documentsFolder('one');
    const indexDir = await tempFolder();
    const first = await base({ documents, indexDir }).bake();
    const before = await changeTimes(indexDir);
    const second = await base({ documents, indexDir }).bake();
    expect([first.written, second.written]).toEqual([true, false]);
    expect(second.generation).toBe(first.generation);
    expect(await changeTimes(indexDir)).toEqual(before);
  });

  it.each(['documents.jsonl', 'keywords.bin', 'passages.bin', 'passages.idx'])(
    'replaces a generation with a damaged %s by the same one',
    async (file) => {
      const documents = await documentsFolder('one');
      const indexDir = await tempFolder();
      await base({ documents, indexDir }).bake();
      const intact = await readIndex(indexDir);
      const answers = await ask(indexDir);
      const path = join(indexDir, intact.generation, file);
      await rm(path);
      await writeFile(path, 'damaged');
      expect((await base({ documents, indexDir }).bake()).written).toBe(true);
      expect(await readIndex(indexDir)).toEqual(intact);
      expect(await ask(indexDir)).toEqual(answers);
    },
  );

  it('replaces a damaged manifest', async () => {
    const documents = await documentsFolder('one');
    const indexDir = await tempFolder();
    await base({ documents, indexDir }).bake();
    const intact = await readIndex(indexDir);
    await writeFile(join(indexDir, 'manifest.json'), '{');
    await base({ documents, indexDir }).bake();
    expect(await readIndex(indexDir)).toEqual(intact);
  });
});
