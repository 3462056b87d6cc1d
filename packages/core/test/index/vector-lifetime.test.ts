import { EventEmitter, once } from 'node:events';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { fileArtefact } from '../../src/index/artefact.js';
import { openVectors } from '../../src/index/open-vectors.js';
import type { VectorEngine } from '../../src/index/vector-search.js';
import { writeVectors } from '../../src/index/vector-writer.js';
import type { Storage } from '../../src/options.js';
import { HashEmbedder, randomDirection } from '../support/hash-embedder.js';
import { SeededRandom } from '../support/seeded-random.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentsFolder, queries, readIndex } from './baked-index.js';
import { askVectors, bakeVectors, vectorBase } from './vector-base.js';

const engines: readonly VectorEngine[] = ['native', 'wasm'];
const storages: readonly Storage[] = ['mapped', 'memory'];
const before = { ...process.env };

afterEach(() => {
  for (const name of ['CUECARD_VECTORS', 'TMPDIR']) {
    const value = before[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

/** How many mappings this process has of files below a folder. */
async function mappings(folder: string): Promise<number> {
  const maps = await readFile('/proc/self/maps', 'utf8');
  return maps.split('\n').filter((line) => line.includes(folder)).length;
}

describe('a bake with vectors', () => {
  it('gives the same bytes for the same documents, in batches of any size', async () => {
    const first = await readIndex(await bakeVectors('one'));
    await bakeVectors('something else that was baked in between');
    expect(await readIndex(await bakeVectors('one'))).toEqual(first);
    const oneByOne = { embed: () => new HashEmbedder({ maxBatch: 1 }) };
    expect(await readIndex(await bakeVectors('one', oneByOne))).toEqual(first);
  });

  it('writes nothing when nothing has changed', async () => {
    const documents = await documentsFolder('one');
    const indexDir = await tempFolder();
    const bake = async () => vectorBase({ documents, indexDir }).bake();
    expect([(await bake()).written, (await bake()).written]).toEqual([true, false]);
  });

  it('replaces a generation with damaged vectors by the same one', async () => {
    const documents = await documentsFolder('one');
    const indexDir = await tempFolder();
    await vectorBase({ documents, indexDir }).bake();
    const intact = await readIndex(indexDir);
    const path = join(indexDir, intact.generation, 'vectors.usearch');
    await rm(path);
    await writeFile(path, 'damaged');
    expect((await vectorBase({ documents, indexDir }).bake()).written).toBe(true);
    expect(await readIndex(indexDir)).toEqual(intact);
  });

  it('leaves no temporary file, nor does a start or its end', async () => {
    const documents = await documentsFolder('one');
    const indexDir = await tempFolder();
    const temporary = await tempFolder();
    process.env['TMPDIR'] = temporary;
    await vectorBase({ documents, indexDir }).bake();
    for (const storage of storages) {
      await askVectors(indexDir, queries, { storage });
      await expect.poll(() => readdir(temporary)).toEqual([]);
    }
  });
});

describe.skipIf(process.platform !== 'linux')('a base that is closed', () => {
  it('maps nothing of its generation any more, and can be started again', async () => {
    const indexDir = await bakeVectors('one');
    const answers = await askVectors(indexDir, queries);
    const started = vectorBase({ indexDir });
    for (let times = 0; times < 3; times++) {
      await started.start();
      expect(await mappings(indexDir)).toBeGreaterThan(0);
      expect(await Promise.all(queries.map((query) => started.lookUp(query)))).toEqual(answers);
      await started.close();
      await expect.poll(() => mappings(indexDir)).toBe(0);
    }
  });

  it('keeps the mapping for a lookup that waits for its embedder', async () => {
    const indexDir = await bakeVectors('one');
    const [query = ''] = queries;
    const [expected] = await askVectors(indexDir, [query]);
    const gate = new EventEmitter();
    const waits = once(gate, 'open');
    const embedder = new HashEmbedder();
    const embed = embedder.embed.bind(embedder);
    embedder.embed = async (texts, options) => {
      await waits;
      return embed(texts, options);
    };
    const started = vectorBase({ indexDir, embed: () => embedder });
    await started.start();
    const running = started.lookUp(query);
    const closing = started.close();
    await expect.poll(() => started.status().state).toBe('closed');
    expect(await mappings(indexDir)).toBeGreaterThan(0);
    gate.emit('open');
    expect(await running).toEqual(expected);
    await closing;
    await expect.poll(() => mappings(indexDir)).toBe(0);
  });

  it('leaves no mapping behind when its start was refused', async () => {
    const indexDir = await bakeVectors('one');
    const { generation } = await readIndex(indexDir);
    await rm(join(indexDir, generation, 'passages.idx'));
    await expect(vectorBase({ indexDir }).start()).rejects.toMatchObject({ code: 'index-corrupt' });
    await expect.poll(() => mappings(indexDir)).toBe(0);
  });
});

describe.each(engines)('a generation with vectors, by the %s engine', (engine) => {
  it.each(storages)('is read on after its folder was removed, with storage %s', async (storage) => {
    process.env['CUECARD_VECTORS'] = engine;
    const indexDir = await bakeVectors('one');
    const answers = await askVectors(indexDir, queries);
    const started = vectorBase({ indexDir, storage });
    await started.start();
    await rm(indexDir, { recursive: true });
    expect(await Promise.all(queries.map((query) => started.lookUp(query)))).toEqual(answers);
    await started.close();
  });

  it('is opened when a bake removes its name in that moment', async () => {
    process.env['CUECARD_VECTORS'] = engine;
    const random = new SeededRandom(5);
    const vectors = Array.from({ length: 30 }, () => randomDirection(random, 64));
    const path = join(await tempFolder(), 'vectors');
    const bytes = await writeVectors(vectors, 64);
    await writeFile(path, bytes);
    const artefact = await fileArtefact(path, bytes.length);
    await rm(path);
    const search = await openVectors(artefact, 64, '');
    const found = vectors.map((vector) => search.nearest(vector, 1)[0]?.passage);
    expect(found).toEqual(vectors.map((_, at) => at));
    await Promise.all([search.close(), artefact.close()]);
  });
});
