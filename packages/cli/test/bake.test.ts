import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { configText, cuecard, knowledge, projectFolder, temporaryFolder } from './run-cli.js';

const refunds = join(knowledge, 'refunds');

describe('cuecard bake', () => {
  it('bakes a documents folder and says what it did', async () => {
    const index = join(await temporaryFolder(), 'index');
    const { code, stdout, stderr } = await cuecard(['bake', refunds, '--index', index]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^refunds: baked, 4 documents, \d+ passages, .* language en, generation [0-9a-f]{8}\n$/,
    );
    expect(stderr).toBe(
      'refunds: reading documents\nrefunds: indexing passages\nrefunds: writing files\n',
    );
    expect(await readdir(index)).toContain('manifest.json');
  });

  it('says that nothing was written when the index is up to date', async () => {
    const index = await temporaryFolder();
    const args = ['bake', refunds, '--index', index, '--json'];
    const first = await cuecard(args);
    const second = await cuecard(args);
    expect(JSON.parse(first.stdout)).toMatchObject({ base: 'refunds', written: true });
    expect(JSON.parse(second.stdout)).toMatchObject({ base: 'refunds', written: false });
    const told = await cuecard(args.slice(0, -1));
    expect(told.stdout).toContain('already up to date');
  });

  it('says how many passages were embedded and how many kept', async () => {
    const folder = await temporaryFolder({
      'docs/hours.txt': 'We are open on Mondays.',
      'docs/pets.txt': 'Cats are welcome.',
    });
    const args = ['bake', 'docs', '--index', 'index', '--embedder', 'local'];
    const bake = (...more: readonly string[]) => cuecard([...args, ...more], { cwd: folder });
    expect((await bake()).stdout).toMatch(/\n {2}2 passages embedded, 0 kept\n$/);
    await writeFile(join(folder, 'docs/pets.txt'), 'Dogs are welcome.');
    expect((await bake()).stdout).toMatch(/\n {2}1 passage embedded, 1 kept\n$/);
    const { stdout } = await bake('--fresh', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      embedding: { embedded: 2, reused: 0, failed: 0 },
      written: false,
    });
  });

  it('passes its settings on to the base', async () => {
    const index = await temporaryFolder();
    const settings = [
      '--name',
      'money',
      '--tenant',
      'Skerry Air',
      '--mode',
      'keyword',
      '--chunk-size',
      '60',
    ];
    const more = ['--chunk-overlap', '0', '--language', 'en'];
    const baked = await cuecard([
      'bake',
      refunds,
      '--index',
      index,
      ...settings,
      ...more,
      '--json',
    ]);
    expect(JSON.parse(baked.stdout)).toMatchObject({ base: 'money', tenant: 'Skerry Air' });
    const { stdout } = await cuecard(['inspect', index, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      base: { name: 'money', tenant: 'Skerry Air' },
      settings: { mode: 'keyword', chunkSize: 60, chunkOverlap: 0, language: 'en' },
    });
  });

  it('makes a valid name of the name of the folder', async () => {
    const folder = await temporaryFolder({
      'Über uns (2024)/hours.txt': 'We are open on Mondays.',
    });
    const args = ['bake', 'Über uns (2024)', '--index', 'index', '--json'];
    const { code, stdout } = await cuecard(args, { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ base: 'Uber-uns-2024' });
  });

  it('bakes one file', async () => {
    const folder = await temporaryFolder({ 'hours.txt': 'We are open on Mondays.' });
    const { stdout } = await cuecard(['bake', 'hours.txt', '--index', 'index', '--json'], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      base: 'hours',
      counts: { documents: 1, passages: 1 },
    });
  });

  it('prints nothing at all when it is quiet and all is well', async () => {
    const index = await temporaryFolder();
    const ended = await cuecard(['bake', refunds, '--index', index, '--quiet']);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('names the files it left out and the documents without text', async () => {
    const folder = await temporaryFolder({
      'docs/hours.txt': 'We are open on Mondays.',
      'docs/empty.md': '',
      'docs/logo.svg': '<svg/>',
    });
    const { code, stdout, stderr } = await cuecard(['bake', 'docs', '--index', 'index'], {
      cwd: folder,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('1 warning');
    expect(stdout).toContain('1 file of other kinds left out: logo.svg');
    expect(stderr).toContain("warning: Base 'docs': document 'empty.md'");
  });

  it('fails with 1 when there is nothing to bake', async () => {
    const folder = await temporaryFolder({ 'docs/logo.svg': '<svg/>' });
    const empty = await cuecard(['bake', 'docs', '--index', 'index', '--json'], { cwd: folder });
    expect(empty.code).toBe(1);
    expect(JSON.parse(empty.stdout)).toMatchObject({
      error: { code: 'documents-empty', base: 'docs' },
    });
    const missing = await cuecard(['bake', 'nowhere', '--index', 'index', '--json'], {
      cwd: folder,
    });
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'documents-missing' } });
  });

  it('names a document that cannot be read, and never shows a stack for it', async () => {
    const cwd = await temporaryFolder({ 'docs/broken.pdf': 'not a PDF' });
    const args = ['bake', 'docs', '--index', 'index', '--json'];
    const { code, stdout, stderr } = await cuecard(args, {
      cwd,
      environment: { CUECARD_DEBUG: '1' },
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'document-unreadable',
        base: 'docs',
        document: 'broken.pdf',
        reason: 'broken',
      },
    });
    expect(stderr).toContain('broken.pdf');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('ends with 2 and the option when a setting is not valid', async () => {
    const index = await temporaryFolder();
    const args = ['bake', refunds, '--index', index, '--chunk-size', '9000', '--json'];
    const { code, stdout, stderr } = await cuecard(args);
    expect(code).toBe(2);
    const allowed = 'a whole number from 1 to 2048 tokens';
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'options-invalid', base: 'refunds', field: 'chunkSize', allowed },
    });
    expect(stderr).toContain(allowed);
  });

  it('keeps the old index when it is interrupted', async () => {
    const stuck = `{ name: 'hours', mode, indexDir: here('index'), documents: {
      name: 'stuck',
      async *entries({ signal }) {
        const read = async () => ({ blocks: [], warnings: [] });
        yield { name: 'a.txt', bytes: 1, sha256: 'a'.repeat(64), read };
        await new Promise<void>((resolve) => {
          const timer = setInterval(() => undefined, 1_000);
          signal?.addEventListener('abort', () => { clearInterval(timer); resolve(); });
        });
        signal?.throwIfAborted();
      },
    } }`;
    const folder = await projectFolder({
      'docs/hours.txt': 'We are open on Mondays.',
      'cuecard.config.ts': configText(
        `{ name: 'hours', mode, indexDir: here('index'), documents: here('docs') }`,
      ),
      'stuck.config.ts': configText(stuck),
    });
    await cuecard(['bake'], { cwd: folder });
    const before = await readFile(join(folder, 'index/manifest.json'), 'utf8');
    const interruptAt = 'reading documents';
    const ended = await cuecard(['bake', 'stuck.config.ts', '--json'], {
      cwd: folder,
      interruptAt,
    });
    expect(ended.code).toBe(130);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'interrupted' } });
    expect(await readFile(join(folder, 'index/manifest.json'), 'utf8')).toBe(before);
    const looked = await cuecard(['look', 'open on mondays', 'index'], { cwd: folder });
    expect(looked.code).toBe(0);
  });
});
