import { chmod } from 'node:fs/promises';

import { beforeAll, expect, it } from 'vitest';

import { tempFolder } from '../support/temp-folder.js';
import { queries, settings } from './baked-index.js';
import { Child, type ChildOptions, type Ending } from './child.js';
import { canBeNobody, isRoot, nobody } from './nobody.js';
import { askVectors, bakeVectors, tableOf } from './vector-base.js';

const processes = 8;
const lookups = 10_000;
/** All of it is done by each process itself, however long it has to wait for a processor. */
const uncached = { cacheSize: 0, deadlineMs: 60_000 } as const;

let indexDir: string;
let answers: readonly unknown[];

beforeAll(async () => {
  indexDir = await bakeVectors('one');
  await chmod(indexDir, 0o755);
  answers = await askVectors(indexDir, queries);
});

/** Starts a process for each user, lets all ask at once, and says how they ended. */
async function askAtOnce(users: readonly ChildOptions[]): Promise<Ending[]> {
  const options = { ...settings, ...uncached, indexDir };
  const argument = { options, embedder: tableOf(queries), queries, lookups };
  const children = users.map((user) => new Child('look', argument, user));
  await Promise.all(children.map((child) => child.says('reading')));
  for (const child of children) child.tell('go on');
  return Promise.all(children.map((child) => child.ended));
}

/** Our answers, each time. */
function same(): Ending {
  const said = { kind: 'looked', answers, different: 0, mapped: expect.any(Array) } as const;
  return { code: 0, signal: null, said };
}

it(`gives ${processes} processes that open one index at once the same answers, ${lookups} times each`, async () => {
  const endings = await askAtOnce(Array.from({ length: processes }, () => ({})));
  expect(endings).toEqual(Array.from({ length: processes }, same));
}, 180_000);

it.skipIf(!isRoot || !canBeNobody)(
  'gives processes of another user the same answers as ours at the same time',
  async () => {
    const temporary = await tempFolder();
    await chmod(temporary, 0o777);
    const other = { ...nobody, env: { TMPDIR: temporary } };
    expect(await askAtOnce([{}, other, other])).toEqual([same(), same(), same()]);
  },
  180_000,
);
