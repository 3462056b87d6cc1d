import { expect, it } from 'vitest';

import { queries, settings } from './baked-index.js';
import { Child } from './child.js';
import { askVectors, bakeVectors, tableOf } from './vector-base.js';

const processes = 8;
const lookups = 2_000;

it(`gives ${processes} processes that open one index at once the same answers, ${lookups} times each`, async () => {
  const indexDir = await bakeVectors('one');
  const answers = await askVectors(indexDir, queries);
  const argument = {
    options: { ...settings, indexDir },
    embedder: tableOf(queries),
    queries,
    lookups,
  };
  const children = Array.from({ length: processes }, () => new Child('look', argument));
  await Promise.all(children.map((child) => child.says('reading')));
  for (const child of children) child.tell('go on');
  for (const child of children)
    expect(await child.ended).toMatchObject({
      code: 0,
      signal: null,
      said: { kind: 'looked', answers, different: 0 },
    });
}, 60_000);
