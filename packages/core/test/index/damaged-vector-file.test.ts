import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { vectorsFile } from '../../src/index/vector-file.js';
import type { Storage } from '../../src/options.js';
import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';
import { queries, readIndex, settings, writeIndex, type BakedIndex } from './baked-index.js';
import { damage, damageNames } from './damage.js';
import { Judge, type Verdict } from './judge.js';
import { askVectors, bakeVectors, tableOf } from './vector-base.js';

const casesEach = 210;
const storages: readonly Storage[] = ['mapped', 'memory'];
const table = tableOf(queries);

let intact: BakedIndex;
let expected: string;
const judge = new Judge();

beforeAll(async () => {
  const indexDir = await bakeVectors('one');
  intact = await readIndex(indexDir);
  expected = JSON.stringify(await askVectors(indexDir, queries));
});

afterAll(() => judge.close());

async function judgeFolder(indexDir: string, storage: Storage): Promise<Verdict> {
  return judge.judge({ ...settings, indexDir, storage }, queries, table);
}

describe.each(storages)('an index with damaged vectors, with storage %s', (storage) => {
  it('answers as in our own process when nothing is damaged', async () => {
    const indexDir = await tempFolder();
    await writeIndex(indexDir, intact);
    const verdict = await judgeFolder(indexDir, storage);
    expect(verdict).toEqual({ kind: 'served', answers: JSON.parse(expected) });
    expect(expected).toContain('"score":');
  });

  it('is refused as corrupt or answers like the intact index, whatever the damage', async () => {
    const random = new SeededRandom(20_260_102);
    const complaints: string[] = [];
    const bytes = intact.files.get(vectorsFile) ?? Buffer.alloc(0);
    let refused = 0;
    for (let number = 0; number < casesEach; number++) {
      const what = random.pick(damageNames);
      const files = new Map([...intact.files, [vectorsFile, damage(what, bytes, random)]]);
      // One case after another: a crash must be known by its case.
      const indexDir = await tempFolder();
      await writeIndex(indexDir, { ...intact, files });
      const verdict = await judgeFolder(indexDir, storage);
      await rm(indexDir, { recursive: true });
      const same = verdict.kind === 'served' && JSON.stringify(verdict.answers) === expected;
      const corrupt = verdict.kind === 'refused' && verdict.code === 'index-corrupt';
      if (!same && !corrupt)
        complaints.push(`case ${number}, ${what}: ${JSON.stringify(verdict).slice(0, 500)}`);
      if (corrupt) refused++;
    }
    expect(complaints).toEqual([]);
    expect(refused).toBeGreaterThan(casesEach * 0.9);
  }, 60_000);

  it('is refused when the vectors are gone or a folder', async () => {
    const indexDir = await tempFolder();
    await writeIndex(indexDir, intact);
    const path = join(indexDir, intact.generation, vectorsFile);
    await rm(path);
    const corrupt = { kind: 'refused', code: 'index-corrupt' };
    expect(await judgeFolder(indexDir, storage)).toEqual(corrupt);
    await mkdir(path);
    expect(await judgeFolder(indexDir, storage)).toEqual(corrupt);
  });
});
