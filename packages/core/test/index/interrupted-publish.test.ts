import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { KnowledgeError } from '../../src/errors.js';
import { parseManifest } from '../../src/index/manifest.js';
import { publish } from '../../src/index/publish.js';
import { tempFolder } from '../support/temp-folder.js';
import { ask, bakeEdition, readIndex } from './baked-index.js';
import { Child, type PublishEnd } from './child.js';

/** More than the calls that publishing makes: the last runs end well and show that every call had its turn. */
const mostSteps = 56;

type Before = 'an older index' | 'no index' | 'a damaged index';

interface Scene {
  readonly source: string;
  readonly folders: readonly string[];
  readonly fresh: string;
  readonly old: string;
}

/** Folders that are all alike, and an index to publish into each. */
async function scene(before: Before): Promise<Scene> {
  const source = await bakeEdition('two');
  const folder = before === 'an older index' ? await bakeEdition('one') : await tempFolder();
  if (before === 'a damaged index') {
    await cp(source, folder, { recursive: true });
    const { generation } = await readIndex(source);
    await cp(join(source, 'manifest.json'), join(folder, generation, 'passages.bin'), {
      force: true,
    });
  }
  const folders = await Promise.all(Array.from({ length: mostSteps }, () => tempFolder()));
  await Promise.all(folders.map((each) => cp(folder, each, { recursive: true })));
  return { source, folders, fresh: await served(source), old: await served(folder) };
}

/** What a start from the folder comes to: its answers, or the code of its error. */
async function served(indexDir: string): Promise<string> {
  return ask(indexDir).then(JSON.stringify, (error: unknown) =>
    error instanceof KnowledgeError ? error.code : String(error),
  );
}

async function publishInto(
  { source, folders }: Scene,
  mishap: 'stop' | 'fail',
): Promise<readonly PublishEnd[]> {
  const { said } = await new Child('publish', { source, folders, mishap }).ended;
  const ends = said?.kind === 'published' ? said.ends : [];
  expect(ends).toHaveLength(mostSteps);
  expect(ends.at(-1)).toEqual({ how: 'published', call: '' });
  return ends.slice(0, ends.findIndex(({ call }) => call === '') + 1);
}

/** Which index an outcome is; else the outcome itself. */
function nameOf(outcome: string, { old, fresh }: Scene): string {
  if (outcome === fresh) return 'new';
  return outcome === old ? 'old' : outcome;
}

async function temporaries(indexDir: string): Promise<string[]> {
  return (await readdir(indexDir)).filter((name) => name.startsWith('.bake-'));
}

describe.each<Before>(['an older index', 'no index', 'a damaged index'])(
  'publishing over %s',
  (before) => {
    it('leaves it or the new one when the process dies before any file-system call, and the next bake puts all right', async () => {
      const begun = await scene(before);
      const intact = await readIndex(begun.source);
      const ends = await publishInto(begun, 'stop');
      const wrong = ends.map(async ({ how, call }, at) => {
        const indexDir = begun.folders[at] ?? '';
        const outcome = nameOf(await served(indexDir), begun);
        await publish(indexDir, parseManifest(intact.manifestText), intact.files);
        expect(await readIndex(indexDir)).toEqual(intact);
        const fits = outcome === 'old' || outcome === 'new';
        const clean = (await temporaries(indexDir)).length === 0;
        return fits && clean ? [] : [{ step: at + 1, how, call, outcome, clean }];
      });
      expect((await Promise.all(wrong)).flat()).toEqual([]);
    }, 60_000);

    it('leaves it or the new one when any file-system call fails, and no temporary files', async () => {
      const begun = await scene(before);
      const ends = await publishInto(begun, 'fail');
      const wrong = ends.map(async ({ how, call }, at) => {
        const indexDir = begun.folders[at] ?? '';
        const outcome = nameOf(await served(indexDir), begun);
        const fits = outcome === 'new' || (how === 'ENOSPC' && outcome === 'old');
        const clean = call === 'rm' || (await temporaries(indexDir)).length === 0;
        return fits && clean ? [] : [{ step: at + 1, how, call, outcome, clean }];
      });
      expect((await Promise.all(wrong)).flat()).toEqual([]);
    }, 60_000);
  },
);
