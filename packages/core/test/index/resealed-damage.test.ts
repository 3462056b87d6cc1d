import { rm } from 'node:fs/promises';

import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { encodeKeywords, keywordsFile } from '../../src/index/keyword-index.js';
import type { Storage } from '../../src/options.js';
import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  bakeEdition,
  queries,
  readIndex,
  reseal,
  settings,
  writeIndex,
  type BakedIndex,
} from './baked-index.js';
import { damage, damageNames } from './damage.js';
import { Judge, type Verdict } from './judge.js';
import { keywordsLayout, structuralDamages, type Damaged } from './resealed-damage.js';

const randomCases = 500;
const casesPerStructure = 40;
const topK = 3;
const storages: readonly Storage[] = ['mapped', 'memory'];
const manyQueries = [...queries, 'the of and', 'booking '.repeat(300)];

const fileName = v.pipe(
  v.string(),
  v.check((name) => !name.includes('/')),
);
const passage = v.strictObject({
  text: v.string(),
  source: fileName,
  heading: v.optional(v.string()),
});
const answer = v.union([
  v.strictObject({ results: v.pipe(v.array(passage), v.maxLength(topK)) }),
  v.strictObject({ error: v.literal('lookup unavailable') }),
]);

let intact: BakedIndex;
const judge = new Judge();

beforeAll(async () => {
  intact = await readIndex(await bakeEdition('one'));
});

afterAll(() => judge.close());

async function judgeCase(
  { files, counts }: Omit<Damaged, 'what'>,
  storage: Storage,
): Promise<Verdict> {
  const indexDir = await tempFolder();
  await writeIndex(indexDir, reseal(intact, files, counts));
  const verdict = await judge.judge({ ...settings, topK, indexDir, storage }, manyQueries);
  await rm(indexDir, { recursive: true });
  return verdict;
}

/** A coded refusal, or bounded answers of the right shape; anything else is said in words. */
function complaint(verdict: Verdict): string | undefined {
  if (verdict.kind === 'refused' && verdict.code === 'index-corrupt') return undefined;
  if (verdict.kind === 'served' && verdict.answers.every((given) => v.is(answer, given)))
    return undefined;
  return JSON.stringify(verdict).slice(0, 2_000);
}

async function complaintsOf(cases: Iterable<Damaged>): Promise<string[]> {
  const complaints: string[] = [];
  let number = 0;
  for (const damaged of cases) {
    // One case after another: a crash must be known by its case.
    const wrong = complaint(await judgeCase(damaged, storages[number % 2] ?? 'mapped'));
    if (wrong !== undefined) complaints.push(`case ${number}, ${damaged.what}: ${wrong}`);
    number++;
  }
  return complaints;
}

describe('an index whose files lie under right digests', () => {
  it('is served as before when nothing was changed', async () => {
    const verdict = await judgeCase({ files: new Map() }, 'mapped');
    expect(verdict.kind).toBe('served');
    expect(complaint(verdict)).toBeUndefined();
  });

  it('is refused or answers within bounds after random damage', async () => {
    const random = new SeededRandom(7);
    const cases = Array.from({ length: randomCases }, (): Damaged => {
      const file = random.pick([...intact.files.keys()]);
      const name = random.pick(damageNames);
      return {
        what: `${file}: ${name}`,
        files: new Map([[file, damage(name, intact.files.get(file) ?? Buffer.alloc(0), random)]]),
      };
    });
    expect(await complaintsOf(cases)).toEqual([]);
  }, 60_000);

  it.each(Object.entries(structuralDamages))(
    'is refused or answers within bounds with %s',
    async (what, make) => {
      const random = new SeededRandom(11);
      const cases = Array.from({ length: casesPerStructure }, () => ({
        what,
        ...make(intact.files, random),
      }));
      expect(await complaintsOf(cases)).toEqual([]);
    },
    60_000,
  );

  it('answers within bounds when every slot of a large term table leads to one long term', async () => {
    const terms = Array.from({ length: 300_000 }, (_, at) => ({
      term: `t${String(at).padStart(6, '0')}`,
      passages: [at % 63],
      frequencies: [1],
    }));
    const bytes = await encodeKeywords(terms, new Uint32Array(63).fill(5_000));
    const { termStarts, table } = keywordsLayout(bytes);
    const last = bytes.readUInt32LE(termStarts.start + (termStarts.count - 1) * 4);
    for (let at = 1; at < termStarts.count; at++)
      bytes.writeUInt32LE(last, termStarts.start + at * 4);
    for (let at = 0; at < table.count; at++) bytes.writeUInt32LE(1, table.start + at * 4);
    const files = new Map([[keywordsFile, bytes]]);
    expect(
      complaint(
        await judgeCase(
          { files, counts: { terms: terms.length, postings: terms.length } },
          'memory',
        ),
      ),
    ).toBeUndefined();
  }, 60_000);
});
