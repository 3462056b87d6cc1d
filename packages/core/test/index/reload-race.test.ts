import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { KnowledgeBase } from '../../src/knowledge-base.js';
import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';
import { base, documentsFolder, queries, readIndex, settings } from './baked-index.js';
import { Child } from './child.js';

/** `CUECARD_RACE_ROUNDS=200` runs as many; fewer are enough to notice a change for the worse. */
const rounds = Number(process.env['CUECARD_RACE_ROUNDS'] ?? 12);

/** About what a bake takes in a process of its own. */
const longestBakeMs = 800;

/** Every answer to the queries, as text. */
type Answers = ReadonlyMap<string, string>;

/** Documents, and what an index of them answers. */
interface Edition {
  readonly documents: string;
  readonly generation: string;
  readonly answers: Answers;
}

async function editionOf(name: string): Promise<Edition> {
  const [documents, indexDir] = [await documentsFolder(name), await tempFolder()];
  const { generation } = await base({ documents, indexDir }).bake();
  const hotel = base({ indexDir });
  await hotel.start();
  const answers = new Map<string, string>();
  for (const query of queries) answers.set(query, (await answerOf(hotel, query)).answer);
  await hotel.close();
  return { documents, generation, answers };
}

async function answerOf(hotel: KnowledgeBase, query: string) {
  const { status, results, generation } = await hotel.search(query);
  return { generation, answer: JSON.stringify({ status, results }) };
}

/** One bake that is killed at some moment, most of them while it writes. */
async function killBake(documents: string, indexDir: string, random: SeededRandom): Promise<void> {
  const child = new Child('bake', { ...settings, documents, indexDir });
  if (random.below(3) === 0) await delay(random.below(longestBakeMs));
  else {
    await child.says('write');
    await delay(random.below(12));
  }
  child.kill();
  await child.ended;
}

/** Reloads and asks until told to stop, and collects what no intact index would answer. */
class Reader {
  readonly torn: string[] = [];
  readonly seen: Set<string> = new Set();
  reloads = 0;
  readonly #hotel: KnowledgeBase;
  readonly #editions: readonly Edition[];
  #stopped = false;

  constructor(hotel: KnowledgeBase, editions: readonly Edition[]) {
    this.#hotel = hotel;
    this.#editions = editions;
  }

  async read(): Promise<void> {
    while (!this.#stopped) {
      const reloading = this.#hotel.reload().catch((error: unknown) => {
        this.torn.push(String(error));
      });
      for (const query of queries) {
        const { generation, answer } = await answerOf(this.#hotel, query);
        this.seen.add(generation ?? '');
        const edition = this.#editions.find((each) => each.generation === generation);
        if (edition?.answers.get(query) !== answer) this.torn.push(`${generation}: ${query}`);
      }
      await reloading;
      this.reloads++;
    }
  }

  stop(): void {
    this.#stopped = true;
  }
}

/** Kills bakes of one edition after the other in a folder that is read meanwhile. */
async function race(editions: readonly Edition[], count: number, seed: number): Promise<Reader> {
  const random = new SeededRandom(seed);
  const [documents, indexDir] = [await tempFolder(), await tempFolder()];
  const bakeNow = async (edition: Edition): Promise<void> => {
    await cp(edition.documents, documents, { recursive: true });
    await base({ documents, indexDir }).bake();
  };
  const [first = never(), second = never()] = editions;
  await bakeNow(first);
  const hotel = base({ indexDir });
  await hotel.start();
  const reader = new Reader(hotel, editions);
  const reading = reader.read();
  let [old, next] = [first, second];
  for (let round = 0; round < count; round++) {
    await cp(next.documents, documents, { recursive: true });
    await killBake(documents, indexDir, random);
    await bakeNow(next);
    expect((await readIndex(indexDir)).generation).toBe(next.generation);
    await expect.poll(() => hotel.status().generation, { timeout: 10_000 }).toBe(next.generation);
    // The next round has to write its generation again, not only name it.
    await rm(join(indexDir, old.generation), { recursive: true, force: true });
    [old, next] = [next, old];
  }
  reader.stop();
  await reading;
  await hotel.close();
  expect((await readdir(indexDir)).filter((name) => name.startsWith('.bake-'))).toEqual([]);
  return reader;
}

function never(): never {
  throw new RangeError('there are two editions');
}

describe('a reload that races bakes which are killed', () => {
  it(
    'never fails and never serves a torn index, and the next whole bake is taken into use',
    async () => {
      const editions = [await editionOf('one'), await editionOf('two')];
      // Two at a time, so that both cores have work.
      const halves = [Math.ceil(rounds / 2), Math.floor(rounds / 2)];
      const readers = await Promise.all(halves.map((count, at) => race(editions, count, at + 3)));
      for (const { torn, seen, reloads } of readers) {
        expect(torn).toEqual([]);
        expect(seen).toEqual(new Set(editions.map(({ generation }) => generation)));
        expect(reloads).toBeGreaterThan(rounds);
      }
    },
    30_000 + rounds * 10_000,
  );
});
