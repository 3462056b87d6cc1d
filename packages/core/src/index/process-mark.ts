import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

import { sha256 } from './digest.js';

/** What files in an index folder know this machine by; containers of one host name have processes of their own. */
export const host: string = sha256(`${hostname()} ${processNamespace()}`).slice(0, 8);

/** Whether a process is at work; `undefined` for one of another machine. */
export function isRunning(where: string | undefined, pid: number): boolean | undefined {
  if (where !== host) return undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Other systems have one for all.
    return '';
  }
}
