import { execFile } from 'node:child_process';
import { cp, mkdir, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { KnowledgeError } from '../../src/errors.js';
import { KnowledgeBase } from '../../src/knowledge-base.js';
import { resolveOptions } from '../../src/options.js';
import {
  ask,
  bakeEdition,
  base,
  documentsFolder,
  readIndex,
  settings,
  silent,
} from './baked-index.js';

const watch = 100;
/** Enough for several looks. */
const someLooks = 8 * watch;

/** A base that watches its index, and the lines it writes. */
async function watching(indexDir: string): Promise<{ hotel: KnowledgeBase; lines: string[] }> {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const logger = { ...silent, info: write, warn: write, error: write };
  const hotel = base({ indexDir, watch, logger });
  await hotel.start();
  return { hotel, lines };
}

function fail(): never {
  throw new Error('the disk is full');
}

async function bakeInto(indexDir: string, edition: string): Promise<string> {
  const documents = await documentsFolder(edition);
  return (await base({ documents, indexDir }).bake()).generation;
}

describe('a base that watches its index', () => {
  it('uses an updated index from the next lookup on, without a restart', async () => {
    const indexDir = await bakeEdition('one');
    const { hotel, lines } = await watching(indexDir);
    for (const edition of ['two', 'three']) {
      const generation = await bakeInto(indexDir, edition);
      await expect.poll(() => hotel.status().generation, { timeout: 10_000 }).toBe(generation);
      const { results } = await hotel.search('edition of the house rules');
      expect(results.map(({ text }) => text).join()).toContain(`edition ${edition}`);
      expect(lines.at(-1)).toBe(`Base 'hotel': serves generation ${generation}.`);
    }
    await delay(someLooks);
    expect(lines).toHaveLength(2);
    expect(hotel.status().reloads).toBe(2);
    await hotel.close();
  });

  it('tells of a bad index once, goes on with the old one, and takes the next good one', async () => {
    const indexDir = await bakeEdition('one');
    const { hotel, lines } = await watching(indexDir);
    const { generation } = hotel.status();
    const broken = await bakeEdition('two');
    await truncate(join(broken, (await readIndex(broken)).generation, 'keywords.bin'), 100);
    await cp(broken, indexDir, { recursive: true, force: true });
    await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(1);
    await delay(someLooks);
    expect(lines).toEqual([
      expect.stringMatching(
        /^Base 'hotel': the new index was refused, the old one goes on: .*keywords\.bin/,
      ),
    ]);
    expect(lines.join()).not.toContain(indexDir);
    expect(hotel.status()).toMatchObject({ generation, reloadError: 'index-corrupt' });
    const good = await bakeInto(indexDir, 'three');
    await expect.poll(() => hotel.status().generation, { timeout: 10_000 }).toBe(good);
    expect(hotel.status().reloadError).toBeUndefined();
    await hotel.close();
  });

  it('takes an index whose files come some time after its manifest', async () => {
    const indexDir = await bakeEdition('one');
    const { hotel, lines } = await watching(indexDir);
    const next = await readIndex(await bakeEdition('two'));
    await writeFile(join(indexDir, 'next'), next.manifestText);
    await rename(join(indexDir, 'next'), join(indexDir, 'manifest.json'));
    await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(1);
    await mkdir(join(indexDir, next.generation));
    for (const [name, bytes] of next.files)
      await writeFile(join(indexDir, next.generation, name), bytes);
    await expect.poll(() => hotel.status().generation, { timeout: 10_000 }).toBe(next.generation);
    await hotel.close();
  });

  it('stops when it is closed, and watches again when it is started again', async () => {
    const indexDir = await bakeEdition('one');
    const { hotel, lines } = await watching(indexDir);
    await hotel.close();
    await bakeInto(indexDir, 'two');
    await delay(someLooks);
    expect(lines).toEqual([]);
    expect(hotel.status().state).toBe('closed');
    await hotel.start();
    const generation = await bakeInto(indexDir, 'three');
    await expect.poll(() => hotel.status().generation, { timeout: 10_000 }).toBe(generation);
    await hotel.close();
  });

  it('goes on when the logger throws', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = base({ indexDir, watch, logger: { ...silent, info: fail, error: fail } });
    await hotel.start();
    for (const edition of ['two', 'three']) {
      const generation = await bakeInto(indexDir, edition);
      await expect.poll(() => hotel.status().generation, { timeout: 10_000 }).toBe(generation);
    }
    expect(await ask(indexDir)).toMatchObject({ generation: hotel.status().generation });
    await hotel.close();
  });

  it('keeps no process alive', async () => {
    const script = fileURLToPath(new URL('children/watch.mjs', import.meta.url));
    const options = { ...settings, indexDir: await bakeEdition('one'), watch };
    const child = promisify(execFile)(process.execPath, [script, JSON.stringify(options)], {
      timeout: 30_000,
    });
    expect((await child).stdout).toBe('started\n');
  });
});

describe('the option watch', () => {
  const place = { name: 'hotel', indexDir: './index' };

  it('is off unless asked for, and every two seconds when it is true', () => {
    expect(resolveOptions(place).watch).toBeUndefined();
    expect(resolveOptions({ ...place, watch: false }).watch).toBeUndefined();
    expect(resolveOptions({ ...place, watch: true }).watch).toBe(2_000);
    expect(resolveOptions({ ...place, watch: 100 }).watch).toBe(100);
    expect(resolveOptions({ ...place, watch: 3_600_000 }).watch).toBe(3_600_000);
  });

  it.each([0, 99, 100.5, 3_600_001, Number.NaN, 'yes', null])('does not take %s', (given) => {
    const make = (): unknown => Reflect.construct(KnowledgeBase, [{ ...place, watch: given }]);
    expect(make).toThrow(KnowledgeError);
    expect(make).toThrow(/'watch'.*100 to 3600000 milliseconds/);
  });

  it('needs an index to watch', () => {
    const options = { name: 'hotel', documents: './documents', watch: true };
    expect(() => new KnowledgeBase(options)).toThrow(/'watch'.*indexDir/);
  });
});
