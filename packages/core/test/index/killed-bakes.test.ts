import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';
import { ask, base, documentsFolder, readIndex, settings } from './baked-index.js';
import { Child } from './child.js';

const kills = 50;

async function bakeInto(indexDir: string, documents: string): Promise<void> {
  await base({ documents, indexDir }).bake();
}

/** Documents, baked cleanly, and what that index answers. */
async function state(edition: string) {
  const documents = await documentsFolder(edition);
  const clean = await tempFolder();
  await bakeInto(clean, documents);
  return { documents, index: await readIndex(clean), served: await ask(clean) };
}

type State = Awaited<ReturnType<typeof state>>;

/** Milliseconds from the start of the process to its end. */
async function bakeDuration(documents: string): Promise<number> {
  const began = performance.now();
  await new Child('bake', { ...settings, documents, indexDir: await tempFolder() }).ended;
  return performance.now() - began;
}

/** Half of the moments are spread over a whole bake, half lie in the milliseconds in which it writes. */
function momentsIn(duration: number): Moment[] {
  const half = kills / 2;
  const moments = Array.from({ length: kills }, (_, at) =>
    at < half ? { after: (duration * at) / half } : { afterWrite: (at - half) % 11 },
  );
  return new SeededRandom(9).shuffle(moments);
}

type Moment = { readonly after?: number; readonly afterWrite?: number };

async function killBake(documents: string, indexDir: string, moment: Moment): Promise<void> {
  const child = new Child('bake', { ...settings, documents, indexDir });
  if (moment.afterWrite !== undefined) await child.says('write');
  await delay(moment.after ?? moment.afterWrite);
  child.kill();
  await child.ended;
}

/** Kills one bake after the other in a folder of its own, and says which index was there each time. */
async function killBakes(one: State, two: State, moments: readonly Moment[]): Promise<string[]> {
  const [documents, indexDir] = [await tempFolder(), await tempFolder()];
  await cp(one.documents, documents, { recursive: true });
  await bakeInto(indexDir, documents);
  let [old, next] = [one, two];
  const kept: string[] = [];
  for (const moment of moments) {
    await cp(next.documents, documents, { recursive: true });
    await killBake(documents, indexDir, moment);
    const served = await ask(indexDir);
    kept.push(served.generation === old.index.generation ? 'old' : 'new');
    expect(served).toEqual(kept.at(-1) === 'old' ? old.served : next.served);
    await bakeInto(indexDir, documents);
    expect(await readIndex(indexDir)).toEqual(next.index);
    expect((await readdir(indexDir)).filter((name) => name.startsWith('.bake-'))).toEqual([]);
    // The next round has to write its generation again, not only name it.
    await rm(join(indexDir, old.index.generation), { recursive: true });
    [old, next] = [next, old];
  }
  return kept;
}

describe('a bake that is killed', () => {
  it('leaves the old index or the new one at any moment, and the next bake puts all right', async () => {
    const [one, two] = [await state('one'), await state('two')];
    expect(one.served.answers).not.toEqual(two.served.answers);
    // Two at a time, so that both cores have work.
    const durations = await Promise.all([one, two].map((each) => bakeDuration(each.documents)));
    const moments = momentsIn(Math.max(...durations));
    const halves = [moments.slice(0, kills / 2), moments.slice(kills / 2)];
    const kept = await Promise.all(halves.map((half) => killBakes(one, two, half)));
    expect(kept.flat()).toHaveLength(kills);
    expect(kept.flat()).toContain('old');
  }, 120_000);
});
