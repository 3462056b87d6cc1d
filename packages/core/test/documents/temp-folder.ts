import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { onTestFinished } from 'vitest';

/** A new folder with these files, by their path inside it; gone when the test ends. */
export async function tempFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'cuecard-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await addFiles(root, files);
  return root;
}

export async function addFiles(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
