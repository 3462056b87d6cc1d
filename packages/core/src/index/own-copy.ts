import { randomBytes } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fileArtefact } from './artefact.js';

/** A copy that no start has used for this long is removed; processes that still map it keep it. */
const keptMs = 24 * 60 * 60 * 1_000;

/** A copy of a file that belongs to this user, named by its digest and shared by the user's processes. */
export async function ownCopy(source: string, sha256: string, size: number): Promise<string> {
  const folder = await ownFolder();
  const path = join(folder, sha256);
  if (!(await holds(path, sha256, size))) await copy(source, folder, path);
  // Some systems copy a file's times as well: an old one would be taken for unused.
  const now = new Date();
  await utimes(path, now, now);
  await removeUnused(folder);
  return path;
}

async function copy(source: string, folder: string, path: string): Promise<void> {
  const temporary = join(folder, `.${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await copyFile(source, temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A private folder; one that somebody else prepared is refused. */
async function ownFolder(): Promise<string> {
  // Not userInfo(): it throws for a user without an entry in the list of users, as containers have.
  const uid = process.getuid?.() ?? -1;
  const folder = join(tmpdir(), `cuecard-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || (uid >= 0 && found.uid !== uid))
    throw new Error('the folder for own copies belongs to somebody else');
  await chmod(folder, 0o700);
  return folder;
}

async function holds(path: string, sha256: string, size: number): Promise<boolean> {
  const artefact = await fileArtefact(path, size).catch(() => undefined);
  if (!artefact) return false;
  try {
    return (await artefact.sha256()) === sha256;
  } finally {
    await artefact.close();
  }
}

async function removeUnused(folder: string): Promise<void> {
  const oldest = Date.now() - keptMs;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const used = (await stat(path).catch(() => undefined))?.mtimeMs ?? oldest;
    if (used < oldest) await rm(path, { force: true });
  }
}
