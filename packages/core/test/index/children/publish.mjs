// Publishes an index that was baked elsewhere into one folder after the other, with a mishap in each:
//   node publish.mjs '{ source, folders, mishap: 'stop' | 'fail' | 'hold', call }'
// stop: before file-system call 1, 2, 3, … nothing more is done, as when the process is killed there; a write is half done.
// fail: that call fails as on a full disk.   hold: waits before the first `call` until told to go on.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { parseManifest } from '../../../dist/index/manifest.js';
import { publish } from '../../../dist/index/publish.js';
import { beforeEveryStep } from './every-step.mjs';

const { source, folders, mishap, call } = JSON.parse(process.argv[2]);
const manifest = parseManifest(await readFile(join(source, 'manifest.json'), 'utf8'));
const folder = join(source, manifest.generation);
const files = new Map();
for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)));

const runs = new AsyncLocalStorage();
const never = new Promise(() => undefined);

beforeEveryStep(async (name, args, write) => {
  const run = runs.getStore();
  run.steps++;
  if (mishap === 'hold' && name === call && !run.held) {
    run.held = true;
    process.send({ kind: 'held' });
    await new Promise((resolve) => process.once('message', resolve));
  }
  if (run.steps === run.last) run.call = name;
  if (mishap === 'fail' && run.steps === run.last) {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: name });
  }
  if (mishap === 'stop' && run.steps >= run.last) {
    if (run.steps === run.last && name === 'writeFile')
      await write(args[0].slice(0, Math.floor(args[0].length / 2)));
    run.stop({ how: 'stopped', call: run.call });
    await never;
  }
});

const ends = [];
for (const [at, indexDir] of folders.entries()) {
  const end = await new Promise((stop) => {
    const run = { steps: 0, last: at + 1, held: false, call: '', stop };
    runs
      .run(run, () => publish(indexDir, manifest, files))
      .then(
        () => stop({ how: 'published', call: run.call }),
        (error) => stop({ how: String(error.code), call: run.call }),
      );
  });
  ends.push(end);
}
process.send({ kind: 'published', ends }, () => process.disconnect());
