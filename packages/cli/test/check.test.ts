import { appendFile, chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { configText, cuecard, projectFolder, temporaryFolder } from './run-cli.js';

/** A folder with `docs` and their `index`. */
async function bakedFolder(): Promise<string> {
  const folder = await temporaryFolder({
    'docs/hours.txt': 'We are open on Mondays.',
    'docs/rooms.txt': 'Room twelve has a view.',
  });
  await cuecard(['bake', 'docs', '--index', 'index', '--chunk-size', '50'], { cwd: folder });
  return folder;
}

async function damage(folder: string): Promise<void> {
  const manifest: { generation: string } = JSON.parse(
    await readFile(join(folder, 'index/manifest.json'), 'utf8'),
  );
  const file = join(folder, 'index', manifest.generation, 'passages.bin');
  await chmod(file, 0o644);
  await appendFile(file, 'x');
}

describe('cuecard check', () => {
  it('finds an index fresh whose documents have not changed, whatever settings it was baked with', async () => {
    const cwd = await bakedFolder();
    const told = await cuecard(['check', 'docs', '--index', 'index'], { cwd });
    expect(told).toEqual({
      code: 0,
      stdout: 'docs: fresh — the index is up to date\n',
      stderr: '',
    });
    const { stdout } = await cuecard(['check', 'docs', '--index', 'index', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ base: 'docs', state: 'fresh', added: [] });
  });

  it('names the documents that are new, gone and changed', async () => {
    const cwd = await bakedFolder();
    await writeFile(join(cwd, 'docs/hours.txt'), 'We are open on Tuesdays.');
    await writeFile(join(cwd, 'docs/fees.txt'), 'A room is ten pounds.');
    await rm(join(cwd, 'docs/rooms.txt'));
    const told = await cuecard(['check', 'docs', '--index', 'index'], { cwd });
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(
      /^docs: stale — .*\n {2}\+ fees\.txt\n {2}- rooms\.txt\n {2}~ hours\.txt\n$/,
    );
    const { code, stdout } = await cuecard(['check', 'docs', '--index', 'index', '--json'], {
      cwd,
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'stale',
      added: ['fees.txt'],
      removed: ['rooms.txt'],
      changed: ['hours.txt'],
    });
  });

  it('says plainly that an index alone is only known to be intact', async () => {
    const cwd = await bakedFolder();
    const { code, stdout } = await cuecard(['check', 'index'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe(
      'docs: unknown — the index is intact; no documents were given to compare it with\n',
    );
  });

  it('finds damaged files', async () => {
    const cwd = await bakedFolder();
    await damage(cwd);
    const { code, stdout } = await cuecard(['check', 'index', '--json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ base: 'docs', state: 'corrupt' });
  });

  it.each([
    ['corrupt', 'no manifest'],
    ['newer', '{"format":999}'],
  ])('finds a manifest %s', async (state, manifest) => {
    const index = await temporaryFolder({ 'manifest.json': manifest });
    const { code, stdout } = await cuecard(['check', index, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ state });
    const told = await cuecard(['check', index]);
    expect(told).toMatchObject({ code: 1, stderr: '' });
    expect(told.stdout.startsWith(`${state} — `)).toBe(true);
  });

  it('finds that there is no index', async () => {
    const cwd = await bakedFolder();
    const { code, stdout } = await cuecard(['check', 'docs', '--index', 'nowhere', '--json'], {
      cwd,
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'missing' });
  });

  it('asks for the index of a documents folder', async () => {
    const cwd = await bakedFolder();
    const { code, stderr } = await cuecard(['check', 'docs'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('--index');
  });

  it('checks every base of a config', async () => {
    const documents = `documents: here('docs')`;
    const cwd = await projectFolder({
      'docs/hours.txt': 'We are open on Mondays.',
      'cuecard.config.ts': configText(
        `{ name: 'a', mode, ${documents}, indexDir: here('a') }`,
        `{ name: 'b', mode, ${documents}, indexDir: here('b') }`,
      ),
      'later.config.ts': configText(
        `{ name: 'a', mode, ${documents}, indexDir: here('a') }`,
        `{ name: 'b', mode, ${documents}, indexDir: here('b'), chunkSize: 30 }`,
        `{ name: 'c', mode, ${documents}, indexDir: here('c') }`,
      ),
    });
    const baked = await cuecard(['bake', '--json'], { cwd });
    expect(JSON.parse(baked.stdout)).toMatchObject({ bases: [{ base: 'a' }, { base: 'b' }] });
    expect(await cuecard(['check'], { cwd })).toMatchObject({ code: 0 });
    const { code, stdout } = await cuecard(['check', 'later.config.ts', '--json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      bases: [
        { base: 'a', state: 'fresh' },
        { base: 'b', state: 'mismatch' },
        { base: 'c', state: 'missing' },
      ],
    });
  });
});
