import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { KnowledgeBase } from '../../src/knowledge-base.js';
import type { KnowledgeBaseOptions } from '../../src/options.js';
import { tempFolder } from '../support/temp-folder.js';
import {
  ask,
  base,
  documentsFolder,
  readIndex,
  reseal,
  silent,
  writeIndex,
} from './baked-index.js';

let documents: string;
let indexDir: string;

beforeAll(async () => {
  documents = await documentsFolder('one');
  indexDir = await tempFolder();
  await base({ documents, indexDir, tenant: 'north', language: 'en' }).bake();
});

function sameBase(options: Partial<KnowledgeBaseOptions> = {}): KnowledgeBase {
  return base({ indexDir, tenant: 'north', language: 'en', ...options });
}

describe('a start from a baked index', () => {
  it.each<[string, Partial<KnowledgeBaseOptions>]>([
    ['name', { name: 'motel' }],
    ['tenant', { tenant: 'south' }],
    ['tenant', { tenant: undefined }],
    ['chunkSize', { chunkSize: 41 }],
    ['chunkOverlap', { chunkOverlap: 9 }],
    ['language', { language: 'de' }],
    ['language', { language: 'auto' }],
  ])('is refused and names %s when it is another', async (field, options) => {
    const refused = {
      code: 'index-mismatch',
      message: expect.stringContaining(` ${field} (index: `),
    };
    await expect(sameBase(options).start()).rejects.toMatchObject(refused);
    await expect(sameBase(options).assertBaked()).rejects.toMatchObject(refused);
  });

  it('names every setting that differs, and no other', async () => {
    const error: unknown = await sameBase({ name: 'motel', chunkSize: 50 })
      .start()
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/chunkSize \(.* name \(/);
    expect(String(error)).not.toMatch(/chunkOverlap|language|tenant|mode/);
  });

  it.each<[string, Partial<KnowledgeBaseOptions>]>([
    ['topK', { topK: 7 }],
    ['minScore', { minScore: 0 }],
    ['description', { description: 'All about a hotel.' }],
    ['deadlineMs', { deadlineMs: 100 }],
    ['storage', { storage: 'memory' }],
  ])('works with another %s', async (_field, options) => {
    const started = sameBase(options);
    await started.start();
    expect(started.status()).toMatchObject({ state: 'ready', baked: true });
    await started.close();
  });

  it('is refused with index-newer when the format is a later one', async () => {
    const index = await readIndex(indexDir);
    const later = await tempFolder();
    for (const format of [1, 99]) {
      const manifestText = index.manifestText.replace('"format": 0', `"format": ${format}`);
      await writeIndex(later, { ...index, manifestText });
      await expect(sameBase({ indexDir: later }).start()).rejects.toMatchObject({
        code: 'index-newer',
      });
      await expect(KnowledgeBase.fromIndex(later)).rejects.toMatchObject({ code: 'index-newer' });
    }
  });

  it.each(['-1', '0.5', '"0"', 'null'])(
    'is refused with index-corrupt when the format is %s',
    async (format) => {
      const index = await readIndex(indexDir);
      const odd = await tempFolder();
      await writeIndex(odd, {
        ...index,
        manifestText: index.manifestText.replace('"format": 0', `"format": ${format}`),
      });
      await expect(sameBase({ indexDir: odd }).start()).rejects.toMatchObject({
        code: 'index-corrupt',
      });
    },
  );

  it('is refused with index-missing when there is neither an index nor documents', async () => {
    const empty = await tempFolder();
    await expect(sameBase({ indexDir: empty }).start()).rejects.toMatchObject({
      code: 'index-missing',
      base: 'hotel',
    });
    await expect(sameBase({ indexDir: join(empty, 'not', 'there') }).start()).rejects.toMatchObject(
      { code: 'index-missing' },
    );
    await expect(KnowledgeBase.fromIndex(empty)).rejects.toMatchObject({ code: 'index-missing' });
  });

  it('is refused with index-corrupt when its parts were baked from different documents', async () => {
    const other = await tempFolder();
    const shorter = await documentsFolder('one');
    await writeFile(join(shorter, 'codes.txt'), 'No codes.');
    await base({ documents: shorter, indexDir: other, tenant: 'north', language: 'en' }).bake();
    const foreign = (await readIndex(other)).files.get('keywords.bin') ?? Buffer.alloc(0);
    const mixed = await tempFolder();
    await writeIndex(
      mixed,
      reseal(await readIndex(indexDir), new Map([['keywords.bin', foreign]])),
    );
    await expect(sameBase({ indexDir: mixed }).start()).rejects.toMatchObject({
      code: 'index-corrupt',
    });
  });
});

describe('a start with verifyDocuments', () => {
  it('works while the documents are those of the bake, and is refused once one has changed', async () => {
    const own = await documentsFolder('one');
    const ownIndex = await tempFolder();
    await base({ documents: own, indexDir: ownIndex }).bake();
    const started = base({ documents: own, indexDir: ownIndex, verifyDocuments: true });
    await started.start();
    await started.close();
    await writeFile(join(own, 'codes.txt'), 'Changed.');
    await expect(started.start()).rejects.toMatchObject({ code: 'index-mismatch' });
    const trusting = base({ documents: own, indexDir: ownIndex });
    await trusting.start();
    await trusting.close();
  });
});

describe('fromIndex', () => {
  it('takes name, tenant and settings from the manifest and answers like the base that was baked', async () => {
    const opened = await KnowledgeBase.fromIndex(indexDir, { logger: silent });
    expect({ name: opened.name, tenant: opened.tenant }).toEqual({
      name: 'hotel',
      tenant: 'north',
    });
    await opened.start();
    expect((await opened.inspect()).settings).toMatchObject({
      chunkSize: 40,
      chunkOverlap: 10,
      language: 'en',
      mode: 'keyword',
    });
    const plain = await tempFolder();
    await base({ documents, indexDir: plain }).bake();
    expect(await opened.lookUp('which edition of the house rules')).toEqual(
      (await ask(plain)).answers[0],
    );
    await opened.close();
  });
});
