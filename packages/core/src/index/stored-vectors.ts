import { join } from 'node:path';

import { canonicalJson } from './digest.js';
import type { EmbedderIdentity } from './manifest.js';
import { openArtefact, readManifest } from './open-index.js';
import { passageDigests, passagesTableFile } from './passages-file.js';
import { openVectorFile, vectorsFile } from './vector-file.js';

/** Vectors of the index as it is, by the digest of their passage. */
export interface StoredVectors {
  /** As stored: f16, widened. Written again it gives the same bytes. */
  find(digest: string): Float32Array | undefined;
  close(): Promise<void>;
}

const none: StoredVectors = { find: () => undefined, close: async () => undefined };

/** The vectors of an index, where it is intact and they are this embedder's; else none. */
export async function openStoredVectors(
  indexDir: string,
  identity: EmbedderIdentity,
): Promise<StoredVectors> {
  return tryToOpen(indexDir, identity).catch(() => none);
}

async function tryToOpen(indexDir: string, identity: EmbedderIdentity): Promise<StoredVectors> {
  const manifest = await readManifest(indexDir);
  const [table, rows] = [passagesTableFile, vectorsFile].map((name) =>
    manifest?.artefacts.find(({ file }) => file === name),
  );
  if (!manifest || !table || !rows) return none;
  if (canonicalJson(manifest.embedder) !== canonicalJson(identity)) return none;
  const folder = join(indexDir, manifest.generation);
  const records = await openArtefact(folder, table, true);
  const digests = passageDigests(records.read(0, records.size));
  const artefact = await openArtefact(folder, rows, false);
  try {
    const file = await openVectorFile(artefact, identity.dimensions);
    const places = new Map(digests.map((digest, at) => [digest, at]));
    return {
      find(digest) {
        const place = places.get(digest);
        return place !== undefined && place < file.rows ? file.row(place) : undefined;
      },
      close: () => artefact.close(),
    };
  } catch (error) {
    await artefact.close();
    throw error;
  }
}
