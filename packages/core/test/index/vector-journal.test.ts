import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openVectorJournal } from '../../src/index/vector-journal.js';
import { tempFolder } from '../support/temp-folder.js';
import { WatchedEmbedder } from '../support/watched-embedder.js';
import { documentsFolder } from './baked-index.js';
import { vectorBase } from './vector-base.js';

const identity = { id: 'hash', revision: '1', dimensions: 64, weight: 0.5, maxTokens: 512 };
const recordSize = 16 + 64 * 4 + 8;

/** Whether this process may write no more than so many bytes into a file from now on. */
function limitFiles(bytes: number | 'unlimited'): boolean {
  const limit = ['--pid', String(process.pid), `--fsize=${bytes}:`];
  return spawnSync('prlimit', limit).status === 0;
}

function entry(digit: string): [string, Float32Array] {
  return [digit.repeat(32), new Float32Array(64).fill(Number(digit))];
}

/** The number under which this process has the journal in a folder open. */
async function descriptorOf(indexDir: string): Promise<number> {
  for (const name of await readdir('/proc/self/fd')) {
    const path = await readlink(`/proc/self/fd/${name}`).catch(() => '');
    if (path.startsWith(join(indexDir, '.vectors-'))) return Number(name);
  }
  throw new Error('no journal is open');
}

it.skipIf(!limitFiles('unlimited'))(
  'takes nothing more once a record could not be written whole',
  async () => {
    const indexDir = await tempFolder();
    const journal = await openVectorJournal(indexDir, identity);
    await journal.add([entry('1')]);
    expect(journal.complete).toBe(true);
    limitFiles(recordSize + 100);
    await journal.add([entry('2')]).finally(() => limitFiles('unlimited'));
    await journal.add([entry('3')]);
    expect(journal.complete).toBe(false);
    await journal.close();
    const [name = ''] = await readdir(indexDir);
    expect((await stat(join(indexDir, name))).size).toBe(recordSize + 100);
    const again = await openVectorJournal(indexDir, identity);
    expect(again.found).toEqual(new Map([entry('1')]));
    expect((await stat(join(indexDir, name))).size).toBe(recordSize);
  },
);

it.skipIf(process.platform !== 'linux')(
  'does not hide why a bake has ended when it cannot be closed, and the embedder is closed all the same',
  async () => {
    const indexDir = await tempFolder();
    const controller = new AbortController();
    const embedder = new WatchedEmbedder(
      async (call) => {
        if (call === 1) return;
        closeSync(await descriptorOf(indexDir));
        controller.abort(new Error('stopped'));
      },
      { maxBatch: 8 },
    );
    let closes = 0;
    Object.assign(embedder, {
      close() {
        closes++;
        throw new Error('closed too late');
      },
    });
    const documents = await documentsFolder('one');
    const bake = vectorBase({ documents, indexDir, embed: () => embedder });
    await expect(bake.bake({ signal: controller.signal })).rejects.toThrow('stopped');
    expect(closes).toBe(1);
  },
);
