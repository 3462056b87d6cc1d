import { rm } from 'node:fs/promises';

import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { parseManifest } from '../../src/index/manifest.js';
import { vectorsFile } from '../../src/index/vector-file.js';
import type { Mode } from '../../src/mode.js';
import type { Storage } from '../../src/options.js';
import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  queries,
  readIndex,
  reseal,
  settings,
  writeIndex,
  type BakedIndex,
} from './baked-index.js';
import { damage, damageNames } from './damage.js';
import { Judge, type Verdict } from './judge.js';
import { bakeVectors, tableOf } from './vector-base.js';
import { vectorDamages, type DamagedVectors } from './vector-damage.js';

const randomCases = 160;
const casesPerStructure = 20;
const topK = 3;
const table = tableOf(queries);

/** Each case is judged in one of these ways, by turns. */
const ways: readonly (readonly [judge: Judge, storage: Storage, mode: Mode])[] = (() => {
  const [native, wasm] = [
    new Judge({ CUECARD_VECTORS: 'native' }),
    new Judge({ CUECARD_VECTORS: 'wasm' }),
  ];
  return [
    [native, 'mapped', 'hybrid'],
    [native, 'memory', 'meaning'],
    [wasm, 'mapped', 'hybrid'],
    [native, 'mapped', 'keyword'],
  ];
})();

const passage = v.strictObject({
  text: v.string(),
  source: v.string(),
  heading: v.optional(v.string()),
  score: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
});
const answer = v.union([
  v.strictObject({ results: v.pipe(v.array(passage), v.maxLength(topK)) }),
  v.strictObject({ error: v.literal('lookup unavailable') }),
]);

let intact: BakedIndex;

beforeAll(async () => {
  intact = await readIndex(await bakeVectors('one'));
});

afterAll(() => ways.forEach(([judge]) => judge.close()));

async function judgeCase(
  { bytes, counts, dimensions }: DamagedVectors,
  number: number,
): Promise<Verdict> {
  const [judge, storage, mode] = ways[number % ways.length] ?? [new Judge(), 'mapped', 'hybrid'];
  const { embedder } = parseManifest(intact.manifestText);
  const said = embedder && dimensions !== undefined ? { ...embedder, dimensions } : undefined;
  const indexDir = await tempFolder();
  await writeIndex(indexDir, reseal(intact, new Map([[vectorsFile, bytes]]), counts, said));
  const identity = { ...table.identity, ...(dimensions === undefined ? {} : { dimensions }) };
  const options = { ...settings, topK, indexDir, storage, mode };
  const verdict = await judge.judge(
    options,
    queries,
    mode === 'keyword' ? undefined : { ...table, identity },
  );
  await rm(indexDir, { recursive: true });
  return verdict;
}

/** A coded refusal, or bounded answers of the right shape; anything else is said in words. */
function complaint(verdict: Verdict): string | undefined {
  const codes = ['index-corrupt', 'index-mismatch', 'embedder-failed'];
  if (verdict.kind === 'refused' && codes.includes(verdict.code)) return undefined;
  if (verdict.kind === 'served' && verdict.answers.every((given) => v.is(answer, given)))
    return undefined;
  return JSON.stringify(verdict).slice(0, 1_000);
}

async function complaintsOf(cases: readonly DamagedVectors[]): Promise<string[]> {
  const complaints: string[] = [];
  for (const [number, damaged] of cases.entries()) {
    // One case after another: a crash must be known by its case.
    const wrong = complaint(await judgeCase(damaged, number));
    if (wrong !== undefined) complaints.push(`case ${number}: ${wrong}`);
  }
  return complaints;
}

function vectorBytes(): Buffer {
  return intact.files.get(vectorsFile) ?? Buffer.alloc(0);
}

describe('vectors that lie under right digests', () => {
  it('are searched as before when nothing was changed', async () => {
    for (const number of ways.keys()) {
      const verdict = await judgeCase({ bytes: vectorBytes() }, number);
      expect(verdict.kind, `way ${number}`).toBe('served');
      expect(complaint(verdict)).toBeUndefined();
    }
  });

  it('are refused or searched within bounds after random damage', async () => {
    const random = new SeededRandom(8);
    const cases = Array.from({ length: randomCases }, () => ({
      bytes: damage(random.pick(damageNames), vectorBytes(), random),
    }));
    expect(await complaintsOf(cases)).toEqual([]);
  }, 60_000);

  it.each(Object.entries(vectorDamages))(
    'are refused or searched within bounds with %s',
    async (_what, make) => {
      const random = new SeededRandom(12);
      const cases = Array.from({ length: casesPerStructure }, () => make(vectorBytes(), random));
      expect(await complaintsOf(cases)).toEqual([]);
    },
    60_000,
  );
});
