import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';

import { sha256 } from './digest.js';

/** Containers of one host name have processes of their own. */
const host = sha256(`${hostname()} ${processNamespace()}`).slice(0, 8);

/** What a bake makes in an index folder beside generations begins so, and goes on with a process mark. */
export const temporaryPrefix = '.bake-';

/** Machine, process id and a random number: says whose something in an index folder is. */
export function processMark(): string {
  return `${host}-${process.pid}-${randomBytes(6).toString('hex')}`;
}

/** Whether the process that made a mark is gone; `undefined` for one of another machine. */
export function isGone(mark: string): boolean | undefined {
  const [, where, pid] = /^([0-9a-f]+)-(\d+)-/.exec(mark) ?? [];
  if (where !== host) return undefined;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Whether a file or folder is there and has not changed for `ms` milliseconds. */
export async function isOlder(path: string, ms: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ms;
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Other systems have one for all.
    return '';
  }
}
