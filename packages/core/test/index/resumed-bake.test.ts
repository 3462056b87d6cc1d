import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { KnowledgeError } from '../../src/errors.js';
import { makeDocuments } from '../support/make-documents.js';
import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';
import { WatchedEmbedder } from '../support/watched-embedder.js';
import { type BakedIndex, base, documentsFolder, readIndex, settings } from './baked-index.js';
import { Child } from './child.js';
import { bakeVectors, vectorBase } from './vector-base.js';

const passages = 63;
const maxBatch = 8;
const recordSize = 16 + 64 * 4 + 8;

let documents: string;
let clean: BakedIndex;

beforeAll(async () => {
  documents = await documentsFolder('one');
  clean = await readIndex(await bakeVectors('one'));
});

/** A folder in which a bake was stopped in the middle of its fourth batch. */
async function stoppedBake(id = 'hash'): Promise<string> {
  const indexDir = await tempFolder();
  const controller = new AbortController();
  const stop = (call: number): void => {
    if (call === 4) controller.abort(new Error('stopped'));
  };
  const embed = () => new WatchedEmbedder(stop, { maxBatch, id });
  const bake = vectorBase({ documents, indexDir, embed }).bake({ signal: controller.signal });
  await expect(bake).rejects.toThrow('stopped');
  return indexDir;
}

async function journals(indexDir: string): Promise<string[]> {
  const names = await readdir(indexDir);
  return names.filter((name) => name.startsWith('.vectors-')).map((name) => join(indexDir, name));
}

async function journalOf(indexDir: string): Promise<string> {
  const [path = ''] = await journals(indexDir);
  return path;
}

/** Bakes to the end, and says how many passages had to be embedded. */
async function finish(indexDir: string, id = 'hash', fresh = false): Promise<number> {
  const embedder = new WatchedEmbedder(undefined, { maxBatch, id });
  const bake = vectorBase({ documents, indexDir, embed: () => embedder }).bake({ fresh });
  const { embedding } = await bake;
  expect(embedding?.embedded).toBe(embedder.texts.length);
  expect(embedding?.reused).toBe(passages - embedder.texts.length);
  return embedder.texts.length;
}

describe('a bake that was stopped', () => {
  it('is taken up by the next one, which gives the bytes of a clean bake', async () => {
    const indexDir = await stoppedBake();
    expect(await finish(indexDir)).toBe(passages - 3 * maxBatch);
    expect(await readIndex(indexDir)).toEqual(clean);
    expect((await readdir(indexDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves vectors that only their owner may read, and no text', async () => {
    const path = await journalOf(await stoppedBake());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const bytes = await readFile(path);
    expect(bytes).toHaveLength(3 * maxBatch * recordSize);
    const words = [...makeDocuments('one').values()].join(' ').match(/[a-z]{6,}/gi) ?? [];
    expect(words.filter((word) => bytes.includes(word))).toEqual([]);
  });

  it('is not taken up by a bake of another embedder, which removes what it left', async () => {
    const indexDir = await stoppedBake('another');
    expect(await finish(indexDir)).toBe(passages);
    expect(await readIndex(indexDir)).toEqual(clean);
    expect(await journals(indexDir)).toEqual([]);
  });

  it('is not taken up by a fresh bake', async () => {
    const indexDir = await stoppedBake();
    expect(await finish(indexDir, 'hash', true)).toBe(passages);
  });

  it('is cleared away by a bake that needs no vectors', async () => {
    const indexDir = await stoppedBake();
    await base({ documents, indexDir }).bake();
    expect(await journals(indexDir)).toEqual([]);
  });

  it('may be stopped again and again and still comes to its end', async () => {
    const indexDir = await tempFolder();
    const given: string[] = [];
    for (let turn = 1; turn < 8; turn++) {
      const controller = new AbortController();
      const embedder = new WatchedEmbedder(
        (call) => {
          if (call === 2) controller.abort(new Error('stopped'));
        },
        { maxBatch },
      );
      const bake = vectorBase({ documents, indexDir, embed: () => embedder });
      await expect(bake.bake({ signal: controller.signal })).rejects.toThrow('stopped');
      given.push(...embedder.texts.slice(0, maxBatch));
    }
    expect(await finish(indexDir)).toBe(passages - 7 * maxBatch);
    expect(new Set(given).size).toBe(7 * maxBatch);
    expect(await readIndex(indexDir)).toEqual(clean);
  });

  it('is taken up after its process was killed, at once', async () => {
    const indexDir = await tempFolder();
    const options = { ...settings, documents, indexDir };
    const killed = new Child('bake-vectors', { options, holdAt: 5 });
    await killed.says('held');
    killed.kill();
    await killed.ended;
    const { said } = await new Child('bake-vectors', { options, bake: { waitMs: 0 } }).ended;
    const embedding = { embedded: passages - 4 * 8, reused: 4 * 8, failed: 0 };
    expect(said).toMatchObject({ kind: 'baked', written: true, embedding });
    const whole = await tempFolder();
    await new Child('bake-vectors', { options: { ...options, indexDir: whole } }).ended;
    expect(await readIndex(indexDir)).toEqual(await readIndex(whole));
  });
});

describe('a journal', () => {
  it('with a torn end loses only the torn record, also for the bake after the next', async () => {
    const indexDir = await stoppedBake();
    const path = await journalOf(indexDir);
    await truncate(path, (await stat(path)).size - 100);
    const controller = new AbortController();
    const stop = (call: number): void => {
      if (call === 2) controller.abort(new Error('stopped'));
    };
    const embed = () => new WatchedEmbedder(stop, { maxBatch });
    const bake = vectorBase({ documents, indexDir, embed }).bake({ signal: controller.signal });
    await expect(bake).rejects.toThrow('stopped');
    expect(await finish(indexDir)).toBe(passages - (3 * maxBatch - 1) - maxBatch);
    expect(await readIndex(indexDir)).toEqual(clean);
  });

  it('with any byte changed loses one record', async () => {
    const indexDir = await stoppedBake();
    const path = await journalOf(indexDir);
    const intact = await readFile(path);
    const random = new SeededRandom(5);
    for (let turn = 0; turn < 10; turn++) {
      const bytes = Buffer.from(intact);
      const at = random.below(bytes.length);
      bytes.writeUInt8((bytes[at] ?? 0) ^ (1 + random.below(255)), at);
      const other = await tempFolder();
      await writeFile(join(other, path.slice(indexDir.length + 1)), bytes);
      expect(await finish(other)).toBe(passages - 3 * maxBatch + 1);
      expect(await readIndex(other)).toEqual(clean);
    }
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['of noise', Buffer.from(Array.from({ length: 9_999 }, (_, at) => (at * 7_919) % 251))],
    ['of zeros', Buffer.alloc(recordSize * 20)],
  ])('that is %s is as good as none', async (_what, bytes) => {
    const indexDir = await stoppedBake();
    await writeFile(await journalOf(indexDir), bytes);
    expect(await finish(indexDir)).toBe(passages);
    expect(await readIndex(indexDir)).toEqual(clean);
  });

  it('of another embedder under the name of ours is as good as none', async () => {
    const indexDir = await stoppedBake();
    const other = await stoppedBake('another');
    await writeFile(await journalOf(indexDir), await readFile(await journalOf(other)));
    expect(await finish(indexDir)).toBe(passages);
  });
});

describe('an embedder that fails for good in the middle of a bake', () => {
  it('fails it with how far it came, and the next bake goes on from there', async () => {
    const indexDir = await tempFolder();
    const embedder = new WatchedEmbedder(
      (call) => {
        if (call > 3) throw new Error('out of order');
      },
      { maxBatch },
    );
    const error: unknown = await vectorBase({ documents, indexDir, embed: () => embedder })
      .bake()
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof KnowledgeError)) throw new Error('it did not fail');
    expect(error).toMatchObject({
      code: 'embedder-failed',
      base: 'hotel',
      embedding: { embedded: 24, reused: 0, failed: passages - 24 },
    });
    expect(error.message).toBe(
      "Base 'hotel': embedder 'hash' failed: it threw an error. 24 of 63 passages have their vectors; the next bake goes on from there.",
    );
    expect(embedder.calls).toBe(3 + 4);
    expect(await finish(indexDir)).toBe(passages - 24);
    expect(await readIndex(indexDir)).toEqual(clean);
  });

  it('is forgiven when it answers again', async () => {
    const indexDir = await tempFolder();
    const embedder = new WatchedEmbedder(
      (call) => {
        if (call === 2 || call === 3) throw new Error('out of order');
      },
      { maxBatch },
    );
    const { embedding } = await vectorBase({ documents, indexDir, embed: () => embedder }).bake();
    expect(embedding).toEqual({ embedded: passages, reused: 0, failed: 0 });
    expect(await readIndex(indexDir)).toEqual(clean);
  });
});
