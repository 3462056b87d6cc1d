import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { EmbedKind } from '../../src/embedder.js';
import { canonicalJson, sha256 } from '../../src/index/digest.js';
import type { KnowledgeBase } from '../../src/knowledge-base.js';
import type { KnowledgeBaseOptions } from '../../src/options.js';
import { HashEmbedder } from '../support/hash-embedder.js';
import { tempFolder } from '../support/temp-folder.js';
import { ask, bakeEdition, base, documentsFolder, queries, readIndex } from './baked-index.js';
import { mappedFiles, openFiles } from './held-files.js';
import { bakeVectors, vectorBase } from './vector-base.js';

/** Bakes an edition into a folder that may be in use. */
async function bakeInto(
  indexDir: string,
  edition: string,
  options: Partial<KnowledgeBaseOptions> = {},
): Promise<void> {
  await base({ documents: await documentsFolder(edition), indexDir, ...options }).bake();
}

async function started(options: Partial<KnowledgeBaseOptions>): Promise<KnowledgeBase> {
  const hotel = base(options);
  await hotel.start();
  return hotel;
}

async function answersOf(hotel: KnowledgeBase) {
  const answers = await Promise.all(queries.map((query) => hotel.lookUp(query)));
  return { generation: hotel.status().generation, answers };
}

function fail(): never {
  throw new Error('the disk is full');
}

/** Queries are embedded when the gate opens. */
class GatedEmbedder extends HashEmbedder {
  readonly opened: Promise<void>;
  open: () => void = () => undefined;

  constructor() {
    super();
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  override async embed(
    texts: readonly string[],
    options: { readonly kind: EmbedKind; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    if (options.kind === 'query') await this.opened;
    return super.embed(texts, options);
  }
}

describe('a reload', () => {
  it('takes a newly baked index into use, and says whether it did', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = await started({ indexDir });
    const before = await answersOf(hotel);
    expect(await hotel.reload()).toBe(false);
    await bakeInto(indexDir, 'two');
    expect(await hotel.reload()).toBe(true);
    expect(await hotel.reload()).toBe(false);
    const after = await answersOf(hotel);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await ask(indexDir));
    await hotel.close();
  });

  it('tells how often and since when in the status', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = base({ indexDir });
    expect(hotel.status()).toMatchObject({ startedAt: undefined, loadedAt: undefined, reloads: 0 });
    await hotel.start();
    const { startedAt, loadedAt } = hotel.status();
    expect(Date.now() - Number(startedAt)).toBeLessThan(60_000);
    await bakeInto(indexDir, 'two');
    await hotel.reload();
    const after = hotel.status();
    expect(after).toMatchObject({ startedAt, reloads: 1, reloadError: undefined });
    expect(Number(after.loadedAt)).toBeGreaterThan(Number(loadedAt));
    await hotel.close();
    expect(hotel.status()).toMatchObject({ startedAt: undefined, loadedAt: undefined, reloads: 1 });
  });

  it.skipIf(process.platform !== 'linux')(
    'lets a lookup under way end on the old index, and then lets go of it',
    async () => {
      const indexDir = await bakeVectors('one');
      const embedder = new GatedEmbedder();
      const hotel = vectorBase({ indexDir, embed: () => embedder, deadlineMs: 60_000 });
      await hotel.start();
      const old = hotel.status().generation ?? '';
      const looking = hotel.search('which edition of the house rules');
      await bakeInto(indexDir, 'two', { embed: () => new HashEmbedder() });
      expect(await hotel.reload()).toBe(true);
      const folder = join(indexDir, old);
      expect(await openFiles(folder)).toBeGreaterThan(0);
      expect(await mappedFiles(folder)).toBe(1);
      embedder.open();
      const { generation, results } = await looking;
      expect(generation).toBe(old);
      expect(results.map(({ text }) => text).join()).toContain('edition one');
      await expect.poll(() => openFiles(folder)).toBe(0);
      await expect.poll(() => mappedFiles(folder)).toBe(0);
      const next = await hotel.search('which edition of the house rules');
      expect(next.generation).toBe(hotel.status().generation);
      expect(next.results.map(({ text }) => text).join()).toContain('edition two');
      await hotel.close();
    },
  );

  it('refuses a damaged index and goes on with the old one, until there is a good one', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = await started({ indexDir });
    const before = await answersOf(hotel);
    await bakeInto(indexDir, 'two');
    await truncate(join(indexDir, (await readIndex(indexDir)).generation, 'passages.idx'), 100);
    await expect(hotel.reload()).rejects.toMatchObject({ code: 'index-corrupt', base: 'hotel' });
    expect(hotel.status()).toMatchObject({ state: 'ready', reloadError: 'index-corrupt' });
    expect(await answersOf(hotel)).toEqual(before);
    await bakeInto(indexDir, 'two');
    expect(await hotel.reload()).toBe(true);
    expect(hotel.status()).toMatchObject({ reloads: 1, reloadError: undefined });
    await hotel.close();
  });

  it.each<[string, Partial<KnowledgeBaseOptions>]>([
    ['with other settings', { chunkSize: 50 }],
    ['of another base', { name: 'motel' }],
    ['of another tenant', { tenant: 'other' }],
    ['by another embedder', { embed: () => new HashEmbedder({ revision: '2' }) }],
    ['by an embedder of other dimensions', { embed: () => new HashEmbedder({ dimensions: 32 }) }],
  ])('refuses an index baked %s', async (_what, options) => {
    const indexDir = await bakeVectors('one');
    const hotel = vectorBase({ indexDir });
    await hotel.start();
    const before = await answersOf(hotel);
    await bakeInto(indexDir, 'two', { embed: () => new HashEmbedder(), ...options });
    await expect(hotel.reload()).rejects.toMatchObject({ code: 'index-mismatch' });
    expect(await answersOf(hotel)).toEqual(before);
    await hotel.close();
  });

  it('refuses an index of a newer format, and the lack of one', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = await started({ indexDir });
    const before = await answersOf(hotel);
    const manifest = join(indexDir, 'manifest.json');
    const body = { ...JSON.parse(await readFile(manifest, 'utf8')), format: 99 };
    await writeFile(manifest, JSON.stringify({ ...body, digest: sha256(canonicalJson(body)) }));
    await expect(hotel.reload()).rejects.toMatchObject({ code: 'index-newer' });
    await rm(indexDir, { recursive: true });
    await expect(hotel.reload()).rejects.toMatchObject({ code: 'index-missing' });
    expect(await answersOf(hotel)).toEqual(before);
    await hotel.close();
  });

  it('is one when it is asked for several times at once', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = await started({ indexDir });
    await bakeInto(indexDir, 'two');
    const reloads = Array.from({ length: 5 }, () => hotel.reload());
    expect(await Promise.all(reloads)).toEqual([true, true, true, true, true]);
    expect(hotel.status().reloads).toBe(1);
    await hotel.close();
  });

  it('does nothing before a start and after a close', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = base({ indexDir });
    expect(await hotel.reload()).toBe(false);
    expect(hotel.status().state).toBe('idle');
    await hotel.start();
    await hotel.close();
    await bakeInto(indexDir, 'two');
    expect(await hotel.reload()).toBe(false);
    expect(hotel.status().state).toBe('closed');
  });

  it('waits for a start that is under way', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = base({ indexDir });
    const starting = hotel.start();
    expect(await hotel.reload()).toBe(false);
    expect(hotel.status().state).toBe('ready');
    await starting;
    await hotel.close();
  });

  it.skipIf(process.platform !== 'linux')(
    'leaves nothing open when the base is closed meanwhile, and serves the new index after a start',
    async () => {
      const indexDir = await bakeVectors('one');
      const hotel = vectorBase({ indexDir });
      await hotel.start();
      await bakeInto(indexDir, 'two', { embed: () => new HashEmbedder() });
      const reloading = hotel.reload();
      await hotel.close();
      expect(await reloading).toBe(false);
      await expect.poll(() => openFiles(indexDir)).toBe(0);
      await expect.poll(() => mappedFiles(indexDir)).toBe(0);
      expect(await hotel.lookUp('gold club')).toEqual({ error: 'lookup unavailable' });
      const restarted = hotel.reload();
      await hotel.start();
      await restarted;
      expect(hotel.status().generation).toBe((await readIndex(indexDir)).generation);
      await hotel.close();
    },
  );

  it('takes a baked index in place of one that was built in memory', async () => {
    const documents = await documentsFolder('one');
    const indexDir = await tempFolder();
    const hotel = await started({ documents, indexDir });
    const built = await answersOf(hotel);
    expect(await hotel.reload()).toBe(false);
    await base({ documents, indexDir }).bake();
    expect(await hotel.reload()).toBe(true);
    expect(hotel.status().baked).toBe(true);
    expect(await answersOf(hotel)).toEqual(built);
    await hotel.close();
    const withoutIndex = await started({ documents });
    expect(await withoutIndex.reload()).toBe(false);
    await withoutIndex.close();
  });

  it('takes an index that was copied over the old one, with storage memory', async () => {
    const indexDir = await bakeEdition('one');
    const hotel = await started({ indexDir, storage: 'memory' });
    await cp(await bakeEdition('two'), indexDir, { recursive: true, force: true });
    expect(await hotel.reload()).toBe(true);
    expect(await answersOf(hotel)).toEqual(await ask(indexDir));
    await hotel.close();
  });
});

describe('ready', () => {
  it('resolves when the base has started, and is a new promise after a close', async () => {
    const hotel = base({ indexDir: await bakeEdition('one') });
    const told: string[] = [];
    const telling = hotel.ready.then(() => told.push('first'));
    const starting = hotel.start();
    expect(told).toEqual([]);
    await starting;
    await telling;
    await hotel.ready;
    await hotel.close();
    void hotel.ready.then(() => told.push('second'));
    await new Promise((resume) => setImmediate(resume));
    expect(told).toEqual(['first']);
    await hotel.start();
    await hotel.ready;
    expect(told).toEqual(['first', 'second']);
    await hotel.close();
  });

  it('outlives a start that fails: it waits for one that does not', async () => {
    const indexDir = await tempFolder();
    const hotel = base({ indexDir });
    const { ready } = hotel;
    await expect(hotel.start()).rejects.toMatchObject({ code: 'index-missing' });
    await bakeInto(indexDir, 'one');
    await hotel.start();
    await ready;
    await hotel.close();
  });
});

describe('starts and closes at once', () => {
  it('end as the last of them says', async () => {
    const hotel = await started({ indexDir: await bakeEdition('one') });
    await Promise.all([hotel.close(), hotel.start(), hotel.close()]);
    expect(hotel.status().state).toBe('closed');
    await Promise.all([hotel.start(), hotel.start(), hotel.close(), hotel.start()]);
    expect(hotel.status().state).toBe('ready');
    await hotel.close();
  });

  it('leave the embedder to the lookups that wait for it', async () => {
    const embedder = new GatedEmbedder();
    const indexDir = await bakeVectors('one');
    const hotel = vectorBase({ indexDir, mode: 'meaning', embed: () => embedder });
    await hotel.start();
    let isClosed = false;
    Object.assign(embedder, { close: async () => void (isClosed = true) });
    const asked = hotel.search(queries[0] ?? '');
    const closing = hotel.close();
    await new Promise((resume) => setTimeout(resume, 50));
    expect(isClosed).toBe(false);
    embedder.open();
    expect((await asked).status).toBe('found');
    await closing;
    expect(isClosed).toBe(true);
  });

  it('are not stopped by a logger that throws', async () => {
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const hotel = base({ documents: await documentsFolder('one'), logger });
    await hotel.start();
    expect(hotel.status().state).toBe('ready');
    await hotel.ready;
    await hotel.close();
  });
});
