import { createHash } from 'node:crypto';
import { open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { eventLoopTurns } from '../event-loop-turns.js';
import { canonicalJson, sha256 } from './digest.js';
import type { EmbedderIdentity } from './manifest.js';

/*
 * .vectors-<first 16 hex digits of the SHA-256 of the embedder's identity>: the vectors that a bake has paid for
 * and not yet published. A record a passage, little-endian, no head, no text:
 *   16 bytes digest of the indexed text   f32[dimensions]   first 8 bytes of the SHA-256 of identity, digest and vector
 */
const prefix = '.vectors-';
const digestSize = 16;
const checkSize = 8;
const readAtOnce = 4 * 1024 * 1024;

/** A passage's digest, in hex, and its vector. */
type JournalEntry = readonly [digest: string, vector: Float32Array];

/** Vectors of bakes that did not end, and a place for those of this one. */
export interface VectorJournal {
  readonly found: ReadonlyMap<string, Float32Array>;
  /** Whether all that was added is kept; a journal that cannot be written breaks no bake. */
  readonly complete: boolean;
  add(entries: readonly JournalEntry[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the journal of an embedder in an index folder; damaged records and a torn end are as if never written. */
export async function openVectorJournal(
  indexDir: string,
  identity: EmbedderIdentity,
): Promise<VectorJournal> {
  const seal = sha256(canonicalJson(identity));
  const path = join(indexDir, `${prefix}${seal.slice(0, 16)}`);
  const found = await recover(path, seal, identity.dimensions).catch(() => new Map());
  let handle: FileHandle | undefined;
  let complete = true;
  return {
    found,
    get complete() {
      return complete;
    },
    async add(entries) {
      // Behind a torn record nothing would be found again.
      if (!complete) return;
      try {
        handle ??= await open(path, 'a', 0o600);
        await handle.appendFile(Buffer.concat(entries.map((entry) => encode(entry, seal))));
      } catch {
        complete = false;
      }
    },
    close: async () => handle?.close(),
  };
}

/** Removes the journals of all embedders: what is published needs none. */
export async function removeVectorJournals(indexDir: string): Promise<void> {
  const names = await readdir(indexDir).catch(() => []);
  const journals = names.filter((name) => name.startsWith(prefix));
  await Promise.all(
    journals.map((name) => rm(join(indexDir, name), { force: true }).catch(() => undefined)),
  );
}

/** Reads the whole records that are intact and cuts off what would shift the next ones. */
async function recover(
  path: string,
  seal: string,
  dimensions: number,
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  const size = digestSize + dimensions * 4 + checkSize;
  const turn = eventLoopTurns();
  const handle = await open(path, 'r+');
  try {
    const whole = Math.floor((await handle.stat()).size / size) * size;
    await handle.truncate(whole);
    const chunk = Buffer.alloc(Math.max(1, Math.floor(readAtOnce / size)) * size);
    for (let from = 0; from < whole; from += chunk.length) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, from);
      for (let at = 0; at + size <= bytesRead; at += size) {
        const entry = decode(chunk.subarray(at, at + size), seal);
        if (entry) found.set(...entry);
        await turn();
      }
    }
    return found;
  } finally {
    await handle.close();
  }
}

function encode([digest, vector]: JournalEntry, seal: string): Buffer {
  const row = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  const content = Buffer.concat([Buffer.from(digest, 'hex'), row]);
  return Buffer.concat([content, check(content, seal)]);
}

function decode(record: Buffer, seal: string): [string, Float32Array] | undefined {
  const content = record.subarray(0, -checkSize);
  if (!check(content, seal).equals(record.subarray(-checkSize))) return undefined;
  const row = Uint8Array.from(content.subarray(digestSize));
  return [content.toString('hex', 0, digestSize), new Float32Array(row.buffer)];
}

function check(content: Buffer, seal: string): Buffer {
  return createHash('sha256').update(seal).update(content).digest().subarray(0, checkSize);
}
