import { link, mkdir, readFile, rename, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { KnowledgeError } from '../errors.js';
import { isGone, isOlder, processMark, temporaryPrefix } from './process-mark.js';

/*
 * .lock: the mark of a process. It is there while a bake is at work in the folder, so that a second one does
 * not pay for the same vectors. A published index never depends on it.
 */
const lockFile = '.lock';
const renewMs = 5_000;
/** Only this tells that a bake is gone when its process id is of another machine, or has been given again. */
const abandonedMs = 30_000;
const lookAgainMs = 100;

/** Our own locks: we hold them even when we have been too busy to renew them. */
const held = new Set<string>();

/** How a bake waits for its turn. */
export interface LockOptions {
  /** The longest wait, in milliseconds. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Told again and again while it waits. */
  readonly onWait: (waitedMs: number) => void;
}

/**
 * Keeps other bakes out of an index folder until the returned function is called. Throws `index-busy` when
 * another is at work for longer than `waitMs`. A folder that cannot be written to needs no lock.
 */
export async function lockIndex(
  indexDir: string,
  { waitMs, signal, onWait }: LockOptions,
): Promise<() => Promise<void>> {
  const owner = processMark();
  const path = join(indexDir, lockFile);
  const began = performance.now();
  held.add(owner);
  try {
    for (;;) {
      const made = (await mkdir(indexDir, { recursive: true })) !== undefined;
      const outcome = await claim(path, owner);
      if (outcome === 'ours') return keep(indexDir, owner, made);
      if (outcome === 'impossible') return async () => void held.delete(owner);
      const waited = performance.now() - began;
      if (waited >= waitMs) throw busy(waitMs);
      onWait(waited);
      await pause(Math.min(lookAgainMs, waitMs - waited), undefined, { ...(signal && { signal }) });
    }
  } catch (error) {
    held.delete(owner);
    signal?.throwIfAborted();
    throw error;
  }
}

async function claim(
  path: string,
  owner: string,
  again = true,
): Promise<'ours' | 'taken' | 'impossible'> {
  try {
    await writeFile(path, owner, { flag: 'wx' });
    return 'ours';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'impossible';
    if (code !== 'EEXIST' && code !== 'ENOENT') throw error;
    return again && (await breakAbandoned(path, owner)) ? claim(path, owner, false) : 'taken';
  }
}

function keep(indexDir: string, owner: string, made: boolean): () => Promise<void> {
  const path = join(indexDir, lockFile);
  const renew = (): void => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  };
  const timer = setInterval(renew, renewMs).unref();
  return async () => {
    clearInterval(timer);
    // Another bake may have taken it for abandoned.
    if ((await ownerOf(path)) === owner) await rm(path, { force: true }).catch(() => undefined);
    held.delete(owner);
    // A bake that came to nothing leaves no empty folder.
    if (made) await rmdir(indexDir).catch(() => undefined);
  };
}

/** Takes the lock of a bake that is gone away. Whether there may be none now. */
async function breakAbandoned(path: string, owner: string): Promise<boolean> {
  const other = await ownerOf(path);
  if (other === undefined) return true;
  if (!(await isAbandoned(path, other))) return false;
  const aside = join(dirname(path), `${temporaryPrefix}${owner}`);
  try {
    await rename(path, aside);
    // Meanwhile a third bake may have put its own there.
    if ((await ownerOf(aside)) !== other) await link(aside, path);
    return true;
  } catch {
    return false;
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

async function isAbandoned(path: string, owner: string): Promise<boolean> {
  if (held.has(owner)) return false;
  return isGone(owner) === true || (await isOlder(path, abandonedMs));
}

/** What a lock says; `undefined` where there is none. */
async function ownerOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) =>
    codeOf(error) === 'ENOENT' ? undefined : '',
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function busy(waitMs: number): KnowledgeError {
  const message = `another bake is at work on this index, after a wait of ${Math.round(waitMs / 1_000)} seconds; let it end, or give bake() a longer waitMs. If there is none, remove ${lockFile} from the index folder.`;
  return new KnowledgeError({ code: 'index-busy', message });
}
