import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

const made: string[] = [];

afterAll(async () => {
  await Promise.all(made.splice(0).map((path) => rm(path, { recursive: true, force: true })));
});

/** An empty folder that is removed when the test file has run. */
export async function tempFolder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'cuecard-livekit-')));
  made.push(path);
  return path;
}
