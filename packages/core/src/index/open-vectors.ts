import type { Artefact } from './artefact.js';
import { openNativeVectors } from './native-vectors.js';
import { loadUsearch } from './usearch.js';
import { openVectorFile } from './vector-file.js';
import type { VectorSearch } from './vector-search.js';
import { openWasmVectors } from './wasm-vectors.js';

/**
 * Opens a vector file with usearch, or with our own scan where usearch has no native build.
 * `CUECARD_VECTORS=wasm` takes the scan everywhere, `native` insists on usearch.
 */
export async function openVectors(
  artefact: Artefact,
  dimensions: number,
  sha256: string,
): Promise<VectorSearch> {
  const file = await openVectorFile(artefact, dimensions);
  const wanted = process.env['CUECARD_VECTORS'];
  const usearch = wanted === 'wasm' ? undefined : await loadUsearch();
  if (usearch) return openNativeVectors(usearch, file, artefact, sha256);
  if (wanted === 'native') throw new Error('usearch has no native build for this system');
  return openWasmVectors(file);
}
