import { mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fileArtefact } from '../../src/index/artefact.js';
import { openVectors } from '../../src/index/open-vectors.js';
import { writeVectors } from '../../src/index/vector-writer.js';
import { HashEmbedder } from '../support/hash-embedder.js';

const dimensions = 64;

describe.skipIf(process.platform !== 'linux')('vectors whose file has lost its name', () => {
  // usearch closes descriptor 0 when it cannot open a file; the next socket would get that number.
  it('are served, and leave standard input alone', async () => {
    const vectors = ['one', 'two'].map((text) => new HashEmbedder({ dimensions }).vector(text));
    const bytes = await writeVectors(vectors, dimensions);
    const folder = await mkdtemp(join(tmpdir(), 'cuecard-'));
    await writeFile(join(folder, 'vectors'), bytes);
    const artefact = await fileArtefact(join(folder, 'vectors'), bytes.length);
    await rm(folder, { recursive: true });
    const before = await readlink('/proc/self/fd/0');
    const search = await openVectors(artefact, dimensions, '');
    expect(await readlink('/proc/self/fd/0')).toBe(before);
    expect(search.nearest(vectors[1] ?? new Float32Array(dimensions), 1)[0]?.passage).toBe(1);
    await search.close();
    await artefact.close();
    expect(await readlink('/proc/self/fd/0')).toBe(before);
  });
});
