import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

import { formatManifest, manifestFile, type Manifest } from './manifest.js';
import { isIntact, readManifest } from './open-index.js';
import { isGone, isOlder, processMark, temporaryPrefix } from './process-mark.js';

/**
 * A folder without a manifest that names it may belong to a bake that is about to name it; older
 * ones are left from bakes that died, or were replaced.
 */
const graceMs = 60_000;
/** Nothing tells whether a bake of another machine is still at work on its folder, so it has long. */
const temporaryGraceMs = 60 * 60_000;
const attempts = 3;

/**
 * Makes a generation current: its files are on the disk, complete, before the manifest names it.
 * Readers see the old index or the new one. The generation that was current stays until the next bake.
 * Returns whether anything was written.
 */
export async function publish(
  indexDir: string,
  manifest: Manifest,
  files: ReadonlyMap<string, Buffer>,
): Promise<boolean> {
  await mkdir(indexDir, { recursive: true });
  const before = await readManifest(indexDir).catch(() => undefined);
  const target = join(indexDir, manifest.generation);
  if (before?.digest === manifest.digest && (await isIntact(target, manifest.artefacts))) {
    await removeAbandoned(indexDir, undefined);
    return false;
  }
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Another bake may have taken our generation for an abandoned one: look, and write it again.
    if (await isIntact(target, manifest.artefacts)) await renew(target);
    else await writeGeneration(indexDir, manifest, files);
    await replaceFile(indexDir, manifestFile, formatManifest(manifest));
    if (await exists(target)) {
      await removeAbandoned(indexDir, new Set([manifest.generation, before?.generation]));
      return true;
    }
  }
  throw new Error('the generation was removed again and again while it was published');
}

/** Gives an old folder its grace back, so that another bake does not remove what we are about to name. */
async function renew(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

async function writeGeneration(
  indexDir: string,
  { generation, artefacts }: Manifest,
  files: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const temporary = join(indexDir, temporaryName());
  const damaged = join(indexDir, temporaryName());
  try {
    await mkdir(temporary);
    await Promise.all(
      [...files].map(([file, bytes]) => writeDurably(join(temporary, file), bytes, 0o444)),
    );
    await syncDirectory(temporary);
    await settle(temporary, join(indexDir, generation), damaged, artefacts);
    await syncDirectory(indexDir);
  } finally {
    await Promise.all([temporary, damaged].map(remove));
  }
}

/**
 * Moves a complete folder to its name. An intact one that is there stays, because readers may be
 * opening it: another bake has made the same. A damaged one goes.
 */
async function settle(
  from: string,
  to: string,
  damaged: string,
  artefacts: Manifest['artefacts'],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (await isIntact(to, artefacts)) return;
      if (attempt === attempts) throw error;
      await rename(to, damaged).catch(() => undefined);
    }
  }
}

async function replaceFile(directory: string, file: string, text: string): Promise<void> {
  const temporary = join(directory, temporaryName());
  try {
    await writeDurably(temporary, text, 0o644);
    await rename(temporary, join(directory, file));
  } finally {
    await remove(temporary);
  }
  await syncDirectory(directory);
}

async function writeDurably(path: string, content: Buffer | string, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Tidies up; the index is complete without it, so what cannot be removed is left to the next bake. Without
 * `kept`, generations are left alone.
 */
async function removeAbandoned(
  indexDir: string,
  kept: ReadonlySet<string | undefined> | undefined,
): Promise<void> {
  const names = await readdir(indexDir).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const path = join(indexDir, name);
      if (name.startsWith(temporaryPrefix)) {
        const mark = name.slice(temporaryPrefix.length);
        if (isGone(mark) ?? (await isOlder(path, temporaryGraceMs))) await remove(path);
      } else if (kept && isGeneration(name) && !kept.has(name) && (await isOlder(path, graceMs))) {
        await discard(indexDir, name);
      }
    }),
  );
}

/** Moves a generation away before it is removed, and back if a bake has named it meanwhile: it is there whole, or not at all. */
async function discard(indexDir: string, generation: string): Promise<void> {
  const path = join(indexDir, generation);
  const aside = join(indexDir, temporaryName());
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  const current = await readManifest(indexDir).catch(() => undefined);
  if (current?.generation === generation) await rename(aside, path).catch(() => undefined);
  await remove(aside);
}

function isGeneration(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name);
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

function temporaryName(): string {
  return `${temporaryPrefix}${processMark()}`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
