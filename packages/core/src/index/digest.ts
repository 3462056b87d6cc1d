import { createHash } from 'node:crypto';

import { eventLoopTurns } from '../event-loop-turns.js';

/** In bytes. */
export const hashedAtOnce: number = 512 * 1024;

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The same for `size` bytes that are read piece by piece; ends early where `read` gives none. */
export async function sha256InTurns(
  size: number,
  read: (offset: number, length: number) => Uint8Array | Promise<Uint8Array>,
): Promise<string> {
  const hash = createHash('sha256');
  const turn = eventLoopTurns();
  for (let at = 0; at < size;) {
    const piece = await read(at, Math.min(size - at, hashedAtOnce));
    if (piece.length === 0) break;
    hash.update(piece);
    at += piece.length;
    await turn();
  }
  return hash.digest('hex');
}

/** JSON with sorted keys and no spaces: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
