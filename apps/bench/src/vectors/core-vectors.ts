import { stat } from 'node:fs/promises';

/** The nearest rows of a query, best first. */
export interface VectorSearch {
  nearest(query: Float32Array, limit: number): readonly { readonly passage: number }[];
  close(): Promise<void>;
}

interface Artefact {
  sha256(): Promise<string>;
  close(): Promise<void>;
}

/** What core keeps to itself: the writer and the two readers of its vector file. */
export interface CoreVectors {
  writeVectors(vectors: readonly Float32Array[], dimensions: number): Promise<Buffer>;
  fileArtefact(path: string, size: number): Promise<Artefact>;
  openVectors(artefact: Artefact, dimensions: number, sha256: string): Promise<VectorSearch>;
}

/** Reads core's vector index from beside core's entry point. */
export async function loadCoreVectors(): Promise<CoreVectors> {
  const files = ['index/vector-writer.js', 'index/artefact.js', 'index/open-vectors.js'];
  const core = import.meta.resolve('@cuecard/core');
  const modules: unknown[] = await Promise.all(
    files.map((file) => import(new URL(file, core).href)),
  );
  const all: unknown = Object.assign({}, ...modules);
  if (!isCoreVectors(all)) throw new TypeError("core's vector index is not where it was");
  return all;
}

/** Opens a vector file with usearch or with core's own scan, its digest checked as a start does. */
export async function openVectorFile(
  core: CoreVectors,
  path: string,
  dimensions: number,
  engine: 'native' | 'wasm',
): Promise<VectorSearch> {
  process.env['CUECARD_VECTORS'] = engine;
  const artefact = await core.fileArtefact(path, (await stat(path)).size);
  const search = await core.openVectors(artefact, dimensions, await artefact.sha256());
  const close = async (): Promise<void> => {
    await search.close();
    await artefact.close();
  };
  return { nearest: (query, limit) => search.nearest(query, limit), close };
}

function isCoreVectors(value: unknown): value is CoreVectors {
  if (typeof value !== 'object' || value === null) return false;
  return ['writeVectors', 'fileArtefact', 'openVectors'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  );
}
