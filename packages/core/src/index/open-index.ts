import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { KnowledgeError } from '../errors.js';
import { fileArtefact, memoryArtefact, wholeArtefact, type Artefact } from './artefact.js';
import { sourcesFile } from './documents-file.js';
import { Generation } from './generation.js';
import { corrupt } from './index-error.js';
import { manifestFile, parseManifest, type Manifest, type ManifestBody } from './manifest.js';
import { openVectors } from './open-vectors.js';
import { passagesTextFile } from './passages-file.js';
import { vectorsFile } from './vector-file.js';

/** Files that are opened, and read when they are needed; the others are taken into memory at once. */
const readBySlice: ReadonlySet<string> = new Set([passagesTextFile, sourcesFile, vectorsFile]);

/** A bake may replace and remove generations while we open one; each turn follows a newer manifest. */
const turns = 5;

/** `ESTALE`: a network file system's word for a file that was replaced. */
const gone: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ESTALE']);
const noFile: ReadonlySet<string> = new Set(['EISDIR', 'ELOOP', 'ENXIO']);

/** The manifest of an index folder, or `undefined` where there is none. */
export async function readManifest(indexDir: string): Promise<Manifest | undefined> {
  try {
    return parseManifest(await readFile(join(indexDir, manifestFile), 'utf8'));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw isSystemError(error) ? unreadable(manifestFile, error) : error;
  }
}

/**
 * Opens the current generation of an index folder, every file checked against the manifest first.
 * `accept` may refuse the manifest by throwing. `undefined` where there is no index.
 */
export async function openIndex(
  indexDir: string,
  {
    inMemory,
    accept,
  }: { readonly inMemory: boolean; readonly accept: (manifest: Manifest) => void },
): Promise<Generation | undefined> {
  let tried: string | undefined;
  for (let turn = 0; turn < turns; turn++) {
    const manifest = await readManifest(indexDir);
    if (!manifest) return undefined;
    accept(manifest);
    try {
      return await openGeneration(join(indexDir, manifest.generation), manifest, inMemory);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (tried === manifest.generation) throw corrupt('a file of it is missing', error);
      tried = manifest.generation;
    }
  }
  throw corrupt('it was replaced again and again while it was opened');
}

/** A generation that lives in memory only. */
export async function generationOf(
  manifest: Manifest,
  files: ReadonlyMap<string, Buffer>,
): Promise<Generation> {
  const artefacts = [...files].map(([file, bytes]): [string, Artefact] => [
    file,
    memoryArtefact(bytes),
  ]);
  return assemble(manifest, new Map(artefacts));
}

async function assemble(
  manifest: Manifest,
  artefacts: ReadonlyMap<string, Artefact>,
): Promise<Generation> {
  const { embedder } = manifest;
  if (!embedder) return Generation.open(manifest, artefacts);
  const file = artefacts.get(vectorsFile);
  if (!file) throw corrupt(`${vectorsFile} is not part of the index`);
  const sealed = manifest.artefacts.find((artefact) => artefact.file === vectorsFile);
  const vectors = await openVectors(file, embedder.dimensions, sealed?.sha256 ?? '');
  try {
    return await Generation.open(manifest, artefacts, vectors);
  } catch (error) {
    await vectors.close();
    throw error;
  }
}

/** Whether every file of a generation's folder is what the manifest says. */
export async function isIntact(
  directory: string,
  artefacts: ManifestBody['artefacts'],
): Promise<boolean> {
  const results = await Promise.allSettled(
    artefacts.map((expected) => openArtefact(directory, expected, false)),
  );
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  await Promise.all(opened.map((artefact) => artefact.close()));
  return opened.length === artefacts.length;
}

async function openGeneration(
  directory: string,
  manifest: Manifest,
  inMemory: boolean,
): Promise<Generation> {
  const results = await Promise.allSettled(
    manifest.artefacts.map(async (expected): Promise<[string, Artefact]> => {
      const whole = inMemory || !readBySlice.has(expected.file);
      return [expected.file, await openArtefact(directory, expected, whole)];
    }),
  );
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  try {
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return await assemble(manifest, new Map(opened));
  } catch (error) {
    await Promise.allSettled(opened.map(([, artefact]) => artefact.close()));
    throw error;
  }
}

/** Opens one file of a generation's folder and checks it against the manifest. */
export async function openArtefact(
  directory: string,
  expected: ManifestBody['artefacts'][number],
  whole: boolean,
): Promise<Artefact> {
  const path = join(directory, expected.file);
  let artefact: Artefact | undefined;
  try {
    artefact = await (whole
      ? wholeArtefact(path, expected.bytes)
      : fileArtefact(path, expected.bytes));
    if ((await artefact.sha256()) === expected.sha256) return artefact;
    throw corrupt(`${expected.file} is not as it was written`);
  } catch (error) {
    await artefact?.close();
    throw isMissing(error) || !isSystemError(error) ? error : unreadable(expected.file, error);
  }
}

/** Something that is no file in a file's place is damage; the rest may be right once it can be read. */
function unreadable(file: string, error: NodeJS.ErrnoException): KnowledgeError {
  const { code = '' } = error;
  if (noFile.has(code)) return corrupt(`${file} cannot be opened (${code})`, error);
  return new KnowledgeError({
    code: 'index-unreadable',
    message: `${file} of the index cannot be read (${code}). Check the permissions of the folder and its files, and the disk.`,
    cause: error,
  });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

function isMissing(error: unknown): boolean {
  return isSystemError(error) && gone.has(error.code ?? '');
}
