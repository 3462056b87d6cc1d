import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { manifestFile } from '../../src/index/manifest.js';
import type { Storage } from '../../src/options.js';
import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  ask,
  bakeEdition,
  queries,
  readIndex,
  settings,
  writeIndex,
  type BakedIndex,
} from './baked-index.js';
import { damage, damageNames } from './damage.js';
import { Judge, type Verdict } from './judge.js';

const casesEach = 700;
const storages: readonly Storage[] = ['mapped', 'memory'];

let intact: BakedIndex;
let expected: readonly unknown[];
const judges = new Map(storages.map((storage) => [storage, new Judge()]));

beforeAll(async () => {
  const indexDir = await bakeEdition('one');
  intact = await readIndex(indexDir);
  expected = (await ask(indexDir)).answers;
});

afterAll(() => judges.forEach((judge) => judge.close()));

async function judgeFolder(indexDir: string, storage: Storage): Promise<Verdict | undefined> {
  return judges.get(storage)?.judge({ ...settings, indexDir, storage }, queries);
}

/** Either a coded refusal that fits, or the answers of the intact index; anything else is said in words. */
function complaint(verdict: Verdict | undefined, codes: readonly string[]): string | undefined {
  if (verdict?.kind === 'refused' && codes.includes(verdict.code)) return undefined;
  if (verdict?.kind === 'served' && JSON.stringify(verdict.answers) === JSON.stringify(expected))
    return undefined;
  return JSON.stringify(verdict);
}

/** The index with one of its files, or the manifest, damaged. */
function damaged(index: BakedIndex, random: SeededRandom): { index: BakedIndex; what: string } {
  const name = random.pick(damageNames);
  const file = random.pick([...index.files.keys(), manifestFile]);
  if (file === manifestFile) {
    const manifestText = damage(name, Buffer.from(index.manifestText), random).toString('latin1');
    return { index: { ...index, manifestText }, what: `${file}: ${name}` };
  }
  const bytes = damage(name, index.files.get(file) ?? Buffer.alloc(0), random);
  return {
    index: { ...index, files: new Map([...index.files, [file, bytes]]) },
    what: `${file}: ${name}`,
  };
}

describe.each(storages)('an index damaged on disk, with storage %s', (storage) => {
  it('is refused with a code or answers like the intact index, whatever the damage', async () => {
    const random = new SeededRandom(20_260_101);
    const complaints: string[] = [];
    let refused = 0;
    for (let number = 0; number < casesEach; number++) {
      const { index, what } = damaged(intact, random);
      // One case after another: a crash must be known by its case.
      const indexDir = await tempFolder();
      await writeIndex(indexDir, index);
      const verdict = await judgeFolder(indexDir, storage);
      await rm(indexDir, { recursive: true });
      const wrong = complaint(verdict, ['index-corrupt', 'index-newer']);
      if (wrong !== undefined) complaints.push(`case ${number}, ${what}: ${wrong}`);
      if (verdict?.kind === 'refused') refused++;
    }
    expect(complaints).toEqual([]);
    expect(refused).toBeGreaterThan(casesEach * 0.9);
  }, 60_000);

  it.each(['documents.jsonl', 'keywords.bin', 'passages.bin', 'passages.idx'])(
    'is refused when %s is gone or a folder',
    async (file) => {
      const indexDir = await tempFolder();
      await writeIndex(indexDir, intact);
      const path = join(indexDir, intact.generation, file);
      await rm(path);
      expect(await judgeFolder(indexDir, storage)).toEqual({
        kind: 'refused',
        code: 'index-corrupt',
      });
      await mkdir(path);
      expect(await judgeFolder(indexDir, storage)).toEqual({
        kind: 'refused',
        code: 'index-corrupt',
      });
    },
  );

  it('is refused when the whole generation is gone, and missing when the manifest is gone', async () => {
    const indexDir = await tempFolder();
    await writeIndex(indexDir, intact);
    await rm(join(indexDir, intact.generation), { recursive: true });
    expect(await judgeFolder(indexDir, storage)).toEqual({
      kind: 'refused',
      code: 'index-corrupt',
    });
    await rm(join(indexDir, manifestFile));
    expect(await judgeFolder(indexDir, storage)).toEqual({
      kind: 'refused',
      code: 'index-missing',
    });
    await mkdir(join(indexDir, manifestFile));
    expect(await judgeFolder(indexDir, storage)).toEqual({
      kind: 'refused',
      code: 'index-corrupt',
    });
  });
});
