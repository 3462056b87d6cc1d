import { createHash } from 'node:crypto';

import { eventLoopTurns } from '../event-loop-turns.js';

const hashedAtOnce = 256 * 1024;

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The same for many bytes. */
export async function sha256InTurns(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  const turn = eventLoopTurns();
  for (let at = 0; at < bytes.length; at += hashedAtOnce) {
    hash.update(bytes.subarray(at, at + hashedAtOnce));
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
