import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { array, asyncProperty, assert, constantFrom, float, record, uniqueArray } from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { memoryArtefact } from '../../src/index/artefact.js';
import { openVectorFile } from '../../src/index/vector-file.js';
import { writeVectors } from '../../src/index/vector-writer.js';
import { HashEmbedder, type HashEmbedderOptions, unit } from '../support/hash-embedder.js';
import { tempFolder } from '../support/temp-folder.js';
import { WatchedEmbedder } from '../support/watched-embedder.js';
import { base, documentsFolder, readIndex, reseal, writeIndex } from './baked-index.js';
import { bakeVectors, vectorBase } from './vector-base.js';

const passages = 63;

let documents: string;
let baked: string;

beforeAll(async () => {
  documents = await documentsFolder('one');
  baked = await bakeVectors('one');
});

/** A copy of the index that a test may bake into. */
async function indexCopy(): Promise<string> {
  const indexDir = await tempFolder();
  await writeIndex(indexDir, await readIndex(baked));
  return indexDir;
}

/** Bakes and says which texts the embedder was given. */
async function bake(indexDir: string, options: HashEmbedderOptions = {}, fresh = false) {
  const embedder = new WatchedEmbedder(undefined, options);
  const report = await vectorBase({ documents, indexDir, embed: () => embedder }).bake({ fresh });
  return { report, texts: embedder.texts };
}

describe('a bake over an index of the same embedder', () => {
  it('embeds nothing when nothing has changed, and writes nothing', async () => {
    const { report, texts } = await bake(await indexCopy());
    expect(texts).toEqual([]);
    expect(report.embedding).toEqual({ embedded: 0, reused: passages, failed: 0 });
    expect(report.written).toBe(false);
  });

  it('embeds only what has changed, and gives the bytes of a clean bake', async () => {
    const changed = await documentsFolder('one');
    await writeFile(join(changed, 'pets.md'), '# Pets\n\nCats are welcome since this spring.\n');
    await rm(join(changed, 'keys.md'));
    await writeFile(join(changed, 'a-new-one.txt'), 'The roof terrace opens at noon.\n');
    const indexDir = await indexCopy();
    const embedder = new WatchedEmbedder();
    const embed = () => embedder;
    const report = await vectorBase({ documents: changed, indexDir, embed }).bake();
    expect(embedder.texts.toSorted()).toEqual([
      'Pets\nCats are welcome since this spring.',
      'a new one\nThe roof terrace opens at noon.',
    ]);
    const total = report.counts.passages;
    expect(report.embedding).toEqual({ embedded: 2, reused: total - 2, failed: 0 });
    const clean = await tempFolder();
    await vectorBase({ documents: changed, indexDir: clean }).bake();
    expect(await readIndex(indexDir)).toEqual(await readIndex(clean));
  });

  it('embeds everything again when it is told to', async () => {
    const { report, texts } = await bake(await indexCopy(), {}, true);
    expect(texts).toHaveLength(passages);
    expect(report.embedding).toEqual({ embedded: passages, reused: 0, failed: 0 });
  });

  it('uses the vectors of another mode and of other settings of the base', async () => {
    const indexDir = await indexCopy();
    const report = await vectorBase({ documents, indexDir, mode: 'meaning', name: 'inn' }).bake();
    expect(report.embedding).toEqual({ embedded: 0, reused: passages, failed: 0 });
  });

  it('says nothing of embedding where there is none', async () => {
    const indexDir = await tempFolder();
    expect((await base({ documents, indexDir }).bake()).embedding).toBeUndefined();
  });

  it('still tells of passages that are too long for the embedder', async () => {
    const indexDir = await tempFolder();
    const first = await bake(indexDir, { maxTokens: 20 });
    const second = await bake(indexDir, { maxTokens: 20 });
    expect(second.report.embedding?.reused).toBe(passages);
    expect(first.report.warnings.join()).toContain('embedded in parts');
    expect(second.report.warnings).toEqual(first.report.warnings);
  });
});

describe('vectors are made again', () => {
  it.each([
    ['id', { id: 'other' }],
    ['revision', { revision: '2' }],
    ['dimensions', { dimensions: 32 }],
    ['longest text', { maxTokens: 20 }],
  ])('when the embedder has another %s', async (_what, options) => {
    const indexDir = await indexCopy();
    expect((await bake(indexDir, options)).texts.length).toBeGreaterThanOrEqual(passages);
    const clean = await tempFolder();
    await bake(clean, options);
    expect(await readIndex(indexDir)).toEqual(await readIndex(clean));
  });

  it.each(['vectors.usearch', 'passages.idx', '../manifest.json'])(
    'when %s is damaged, and the index is whole again',
    async (name) => {
      const indexDir = await indexCopy();
      const path = join(indexDir, (await readIndex(indexDir)).generation, name);
      const bytes = await readFile(path);
      const middle = Math.floor(bytes.length / 2);
      bytes.writeUInt8((bytes[middle] ?? 0) ^ 1, middle);
      await chmod(path, 0o644);
      await writeFile(path, bytes);
      expect((await bake(indexDir)).texts).toHaveLength(passages);
      expect(await readIndex(indexDir)).toEqual(await readIndex(baked));
    },
  );

  it('when their digests are right but they are no unit vectors', async () => {
    const indexDir = await tempFolder();
    const index = await readIndex(baked);
    const vectors = Buffer.from(index.files.get('vectors.usearch') ?? '');
    const rowSize = vectors.readUInt32LE(4);
    vectors.fill(0, 8, 8 + rowSize);
    vectors.writeUInt16LE(0x7e00, 8 + rowSize);
    await writeIndex(indexDir, reseal(index, new Map([['vectors.usearch', vectors]])));
    const { report } = await bake(indexDir);
    expect(report.embedding).toEqual({ embedded: 2, reused: passages - 2, failed: 0 });
    expect(await readIndex(indexDir)).toEqual(index);
  });
});

describe('rows of a vector file', () => {
  it('give the same bytes when they are written again', async () => {
    const component = float({ min: -1, max: 1, noNaN: true });
    const row = array(component, { minLength: 24, maxLength: 24 });
    const matrix = array(row, { minLength: 40, maxLength: 200 });
    await assert(
      asyncProperty(matrix, async (rows) => {
        const vectors = rows
          .map((given) => Float32Array.from(given))
          .filter((given) => given.some((value) => Math.abs(value) > 1e-6))
          .map(unit);
        const bytes = await writeVectors(vectors, 24);
        const file = await openVectorFile(memoryArtefact(bytes), 24);
        const again = Array.from({ length: file.rows }, (_, at) => file.row(at));
        expect((await writeVectors(again, 24)).equals(bytes)).toBe(true);
      }),
      { numRuns: 10 },
    );
  });
});

describe('a series of bakes through any editions', () => {
  it('ends in the bytes of a clean bake of the last', async () => {
    const sentence = constantFrom(
      'The pool closes at nine.',
      'Breakfast is served from seven.',
      'Dogs stay in the garden rooms.',
      'A lost key costs ten euros.',
      'The lift stops on every floor.',
    );
    const document = record({
      name: constantFrom('a', 'b', 'c', 'd/e'),
      text: array(sentence, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n\n')),
    });
    const edition = uniqueArray(document, {
      minLength: 1,
      maxLength: 4,
      selector: ({ name }) => name,
    });
    const editions = array(edition, { minLength: 2, maxLength: 4 });
    await assert(
      asyncProperty(editions, async (series) => {
        const [folder, indexDir, clean] = [
          await tempFolder(),
          await tempFolder(),
          await tempFolder(),
        ];
        const options = { documents: folder, chunkSize: 8, chunkOverlap: 0 };
        for (const files of series) {
          await rm(folder, { recursive: true });
          for (const { name, text } of files) {
            const path = join(folder, `${name}.txt`);
            await mkdir(dirname(path), { recursive: true });
            await writeFile(path, text);
          }
          await vectorBase({ ...options, indexDir }).bake();
        }
        await vectorBase({ ...options, indexDir: clean }).bake();
        expect(await readIndex(indexDir)).toEqual(await readIndex(clean));
      }),
      { numRuns: 8 },
    );
  });
});

describe('a start without an index', () => {
  it('keeps no vectors on the disk', async () => {
    const indexDir = join(await tempFolder(), 'index');
    const running = vectorBase({ documents, indexDir, embed: () => new HashEmbedder() });
    await running.start();
    await expect(readFile(join(indexDir, 'manifest.json'))).rejects.toThrow('ENOENT');
    await running.close();
  });
});
