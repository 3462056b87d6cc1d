import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { canonicalJson, sha256 } from '../../src/index/digest.js';
import {
  formatManifest,
  manifestFile,
  parseManifest,
  sealManifest,
  type Manifest,
} from '../../src/index/manifest.js';
import { KnowledgeBase } from '../../src/knowledge-base.js';
import type { KnowledgeBaseOptions } from '../../src/options.js';
import { makeDocuments, writeDocuments } from '../support/make-documents.js';
import { tempFolder } from '../support/temp-folder.js';

/** Settings of the base in these tests: short passages, so that small documents give many. */
export const settings = { name: 'hotel', chunkSize: 40, chunkOverlap: 10 } as const;

/** Questions that reach every kind of document. Most of their answers say the edition. */
export const queries: readonly string[] = [
  'which edition of the house rules',
  'how many kilograms may a suitcase weigh',
  'MV-87',
  'gold club code GC-505 limit',
  'double booking price',
  '朝食は何時',
  'nothing of this zyzzyva sort',
];

export const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
} as const;

/** A baked index as bytes. */
export interface BakedIndex {
  readonly manifestText: string;
  readonly generation: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

export function base(options: Partial<KnowledgeBaseOptions>): KnowledgeBase {
  return new KnowledgeBase({ ...settings, logger: silent, ...options });
}

/** A folder with the documents of an edition. */
export async function documentsFolder(edition: string): Promise<string> {
  const folder = await tempFolder();
  await writeDocuments(folder, makeDocuments(edition));
  return folder;
}

/** Bakes an edition into a fresh folder and says where. */
export async function bakeEdition(edition: string): Promise<string> {
  const indexDir = await tempFolder();
  await base({ documents: await documentsFolder(edition), indexDir }).bake();
  return indexDir;
}

export async function readIndex(indexDir: string): Promise<BakedIndex> {
  const manifestText = await readFile(join(indexDir, manifestFile), 'utf8');
  const { generation } = parseManifest(manifestText);
  const names = (await readdir(join(indexDir, generation))).toSorted();
  const files = await Promise.all(
    names.map(async (name): Promise<[string, Buffer]> => [
      name,
      await readFile(join(indexDir, generation, name)),
    ]),
  );
  return { manifestText, generation, files: new Map(files) };
}

export async function writeIndex(indexDir: string, index: BakedIndex): Promise<void> {
  await mkdir(join(indexDir, index.generation), { recursive: true });
  await writeFile(join(indexDir, manifestFile), index.manifestText);
  await Promise.all(
    [...index.files].map(([name, bytes]) =>
      writeFile(join(indexDir, index.generation, name), bytes),
    ),
  );
}

/** The index with some files replaced and every digest right again, as if it had been baked so. */
export function reseal(
  index: BakedIndex,
  changed: ReadonlyMap<string, Buffer>,
  counts: Partial<Manifest['counts']> = {},
  embedder?: Manifest['embedder'],
): BakedIndex {
  const { digest: _, ...body } = parseManifest(index.manifestText);
  const files = new Map([...index.files, ...changed]);
  const artefacts = body.artefacts.map(({ file }) => {
    const bytes = files.get(file) ?? Buffer.alloc(0);
    return { file, bytes: bytes.length, sha256: sha256(bytes) };
  });
  const generation = sha256(canonicalJson(artefacts)).slice(0, 32);
  const manifest = sealManifest({
    ...body,
    ...(embedder === undefined ? {} : { embedder }),
    generation,
    artefacts,
    counts: { ...body.counts, ...counts },
  });
  return { manifestText: formatManifest(manifest), generation, files };
}

/** What a fresh start from a folder answers, and by which generation. */
export async function ask(
  indexDir: string,
): Promise<{ generation: string | undefined; answers: unknown[] }> {
  const started = base({ indexDir });
  await started.start();
  try {
    const { generation } = started.status();
    return {
      generation,
      answers: await Promise.all(queries.map((query) => started.lookUp(query))),
    };
  } finally {
    await started.close();
  }
}
