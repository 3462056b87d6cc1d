import {
  chmod,
  chown,
  mkdir,
  readFile,
  readdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { sha256 } from '../../src/index/digest.js';
import { vectorsFile } from '../../src/index/vector-file.js';
import { tempFolder } from '../support/temp-folder.js';
import { queries, readIndex, settings } from './baked-index.js';
import { Child, type ChildOptions, type Message } from './child.js';
import { canBeNobody, isRoot, nobody } from './nobody.js';
import { askVectors, bakeVectors, tableOf } from './vector-base.js';

const uid = nobody.uid ?? 0;
let indexDir: string;
let vectors: Buffer;
let answers: readonly unknown[];
/** The folder for temporary files of the other user's processes. */
let temporary: string;

beforeAll(async () => {
  indexDir = await bakeVectors('one');
  await chmod(indexDir, 0o755);
  vectors = (await readIndex(indexDir)).files.get(vectorsFile) ?? Buffer.alloc(0);
  answers = await askVectors(indexDir, queries);
});

beforeEach(async () => {
  temporary = await tempFolder();
  await chmod(temporary, 0o777);
});

function start(user: ChildOptions = nobody): Child {
  const embedder = tableOf(queries);
  const options = { ...settings, indexDir };
  const argument = { options, embedder, queries, lookups: queries.length };
  const env = { TMPDIR: temporary, CUECARD_VECTORS: 'native' };
  return new Child('look', argument, { ...user, env });
}

async function end(child: Child): Promise<Message | undefined> {
  await child.says('reading');
  child.tell('go on');
  return (await child.ended).said;
}

function mappedFrom(folder: string, said: Message | undefined): string[] {
  return said?.kind === 'looked' ? said.mapped.filter((file) => file.startsWith(folder)) : [];
}

async function ownFolder(owner = uid): Promise<string> {
  const folder = join(temporary, `cuecard-${uid}`);
  await mkdir(folder, { mode: 0o755 });
  await chown(folder, owner, owner);
  return folder;
}

// Only root can bake as one user and read as another, and only Linux maps by owner.
describe.skipIf(!isRoot || !canBeNobody || process.platform !== 'linux')(
  'an index that another user has baked',
  () => {
    it('is mapped from a copy in a folder that is closed to others', async () => {
      const said = await end(start());
      expect(said).toMatchObject({ kind: 'looked', answers, different: 0 });
      const folder = join(temporary, `cuecard-${uid}`);
      expect(mappedFrom(folder, said)).toHaveLength(1);
      expect(mappedFrom(indexDir, said)).toEqual([]);
      const { mode, uid: owner } = await stat(folder);
      expect([mode & 0o777, owner]).toEqual([0o700, uid]);
      expect(await readdir(folder)).toEqual([sha256(vectors)]);
      expect(await readFile(join(folder, sha256(vectors)))).toEqual(vectors);
    });

    it('is copied once for all processes of a user', async () => {
      const first = start();
      await first.says('reading');
      const second = await end(start());
      const said = await end(first);
      expect([said, second]).toMatchObject([{ answers }, { answers }]);
      expect(mappedFrom(temporary, second)).toEqual(mappedFrom(temporary, said));
      expect(await readdir(temporary)).toEqual([`cuecard-${uid}`]);
    });

    it('leaves one copy when several processes start at once', async () => {
      const said = await Promise.all([start(), start(), start()].map(end));
      for (const each of said) expect(each).toMatchObject({ kind: 'looked', answers });
      expect(await readdir(join(temporary, `cuecard-${uid}`))).toEqual([sha256(vectors)]);
    });

    it('is mapped by a user whom the system has no name for', async () => {
      const said = await end(start({ uid: 54_321, gid: 54_321 }));
      expect(said).toMatchObject({ kind: 'looked', answers });
      expect(mappedFrom(join(temporary, 'cuecard-54321'), said)).toHaveLength(1);
    });

    it('is not mapped from a folder that somebody else has prepared', async () => {
      await ownFolder(0);
      const failed = { kind: 'failed', code: expect.stringContaining('belongs to somebody else') };
      expect(await end(start())).toEqual(failed);
    });

    it('is not mapped through a link', async () => {
      const elsewhere = join(temporary, 'elsewhere');
      await mkdir(elsewhere);
      await chown(elsewhere, uid, uid);
      await symlink(elsewhere, join(temporary, `cuecard-${uid}`));
      expect(await end(start())).toMatchObject({ kind: 'failed' });
      expect(await readdir(elsewhere)).toEqual([]);
    });

    it.each(['other bytes', 'nothing', 'the first half'])(
      'replaces a copy that holds %s',
      async (what) => {
        const path = join(await ownFolder(), sha256(vectors));
        const half = vectors.subarray(0, what === 'nothing' ? 0 : vectors.length / 2);
        await writeFile(path, what === 'other bytes' ? Buffer.alloc(vectors.length, 7) : half);
        await chown(path, uid, uid);
        expect(await end(start())).toMatchObject({ kind: 'looked', answers });
        expect(await readFile(path)).toEqual(vectors);
      },
    );

    it('closes a folder of ours that was open to others', async () => {
      const folder = await ownFolder();
      await chmod(folder, 0o777);
      expect(await end(start())).toMatchObject({ kind: 'looked', answers });
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    });

    it('removes copies that no start has used for a day, and no others', async () => {
      const folder = await ownFolder();
      const place = async (name: string, hours: number): Promise<void> => {
        const then = new Date(Date.now() - hours * 3_600_000);
        await writeFile(join(folder, name), name);
        await chown(join(folder, name), uid, uid);
        await utimes(join(folder, name), then, then);
      };
      await place('old', 25);
      await place('recent', 23);
      expect(await end(start())).toMatchObject({ kind: 'looked', answers });
      expect(new Set(await readdir(folder))).toEqual(new Set(['recent', sha256(vectors)]));
    });

    it('is held in memory where there is no folder for a copy', async () => {
      await chmod(temporary, 0o555);
      const said = await end(start());
      expect(said).toMatchObject({ kind: 'looked', answers });
      expect(mappedFrom(temporary, said)).toEqual([]);
      expect(await readdir(temporary)).toEqual([]);
    });
  },
);

describe.skipIf(process.platform !== 'linux')('an index of our own', () => {
  it('is mapped where it is', async () => {
    const said = await end(start({}));
    expect(said).toMatchObject({ kind: 'looked', answers });
    expect(mappedFrom(indexDir, said)).toHaveLength(1);
    expect(await readdir(temporary)).toEqual([]);
  });
});
