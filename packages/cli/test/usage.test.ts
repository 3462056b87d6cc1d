import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { configText, cuecard, knowledge, projectFolder, temporaryFolder } from './run-cli.js';

const refunds = join(knowledge, 'refunds');

describe('wrong use', () => {
  it.each([
    ['no command', []],
    ['an unknown command', ['bakee']],
    ['an unknown option', ['look', 'refunds', refunds, '--fast']],
    ['a query without quotes', ['look', 'how', 'long', 'does', 'it', 'take']],
    ['no query', ['look']],
    ['an unknown mode', ['bake', refunds, '--index', 'index', '--mode', 'fuzzy']],
    ['an unknown embedder', ['bake', refunds, '--index', 'index', '--embedder', 'remote']],
    ['vectors without an embedder', ['bake', refunds, '--index', 'index', '--mode', 'hybrid']],
    [
      'an embedder for keywords',
      ['look', 'x', refunds, '--mode', 'keyword', '--embedder', 'local'],
    ],
    ['a number that is none', ['look', 'refunds', refunds, '--top-k', 'many']],
    ['too many passages', ['look', 'refunds', refunds, '--top-k', '21']],
    ['documents without an index to bake into', ['bake', refunds]],
    ['a base without a config', ['look', 'refunds', refunds, '--base', 'refunds']],
    ['no target and no config', ['inspect']],
    ['a config that is not there', ['inspect', 'cuecard.config.ts']],
  ])('ends with 2: %s', async (_, args) => {
    const cwd = await temporaryFolder();
    const [told, asJson] = await Promise.all([
      cuecard(args, { cwd }),
      cuecard([...args, '--json'], { cwd }),
    ]);
    expect(told).toMatchObject({ code: 2, stdout: '' });
    expect(told.stderr).not.toBe('');
    expect(told.stderr).not.toMatch(/^\s+at /m);
    expect(asJson.code).toBe(2);
    const { error }: { error: { code: string; message: string } } = JSON.parse(asJson.stdout);
    expect(['usage-invalid', 'config-invalid']).toContain(error.code);
    expect(error.message).not.toBe('');
  });

  it('is not asking for help or the version', async () => {
    const help = await cuecard(['look', '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 .*\n {2}130 /);
    const version = await cuecard(['--version']);
    expect(version.code).toBe(0);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a config', () => {
  const hours = `{ name: 'hours', mode, documents: here('docs') }`;
  const documents = { 'docs/hours.txt': 'We are open on Mondays.' };

  it.each(['ts', 'mts', 'js', 'mjs'])('is found as cuecard.config.%s', async (extension) => {
    const typed = configText(hours);
    const text = extension.endsWith('ts')
      ? typed
      : typed.replace(/, type Mode|: \w+(?= =|\))|: URL/g, '');
    const cwd = await projectFolder({ ...documents, [`cuecard.config.${extension}`]: text });
    const { code, stdout } = await cuecard(['look', 'mondays', '--json'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ base: 'hours', status: 'found' });
  });

  it('cannot put anything into the one JSON document', async () => {
    const talk = `console.log('a'); console.info('b'); process.stdout.write('c\\n');\n`;
    const cwd = await projectFolder({
      ...documents,
      'cuecard.config.ts': talk + configText(hours),
    });
    const { stdout, stderr } = await cuecard(['look', 'mondays', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'found' });
    expect(stderr).toMatch(/^a\nb\nc\n/);
  });

  it.each([
    ['nothing', 'export const bases = 1;'],
    ['no bases', 'export default { bases: [] };'],
    ['something that is no base', `export default { bases: [{ name: 'hours' }] };`],
  ])('of a wrong shape is shown the right one: %s', async (_, text) => {
    const cwd = await projectFolder({ 'cuecard.config.ts': text });
    const { code, stderr } = await cuecard(['inspect'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('export default defineKnowledge({ bases: [refunds] });');
  });

  it('that is refused by the library ends with 2 and names the option', async () => {
    const cwd = await projectFolder({
      'cuecard.config.ts': configText(`{ name: 'hours', mode, documents: here('docs'), topK: 0 }`),
    });
    const { code, stdout } = await cuecard(['inspect', '--json'], { cwd });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'options-invalid', field: 'topK' } });
  });

  it('that throws ends with 2, and shows its stack only when asked to', async () => {
    const cwd = await projectFolder({ 'cuecard.config.ts': `throw new Error('out of luck');` });
    const plain = await cuecard(['inspect'], { cwd });
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toContain('out of luck');
    expect(plain.stderr).not.toMatch(/^\s+at /m);
    const traced = await cuecard(['inspect'], { cwd, environment: { CUECARD_DEBUG: '1' } });
    expect(traced.stderr).toMatch(/^\s+at .*cuecard\.config\.ts/m);
  });

  it('names its bases when another is asked for, and takes no settings of a folder', async () => {
    const cwd = await projectFolder({ ...documents, 'cuecard.config.ts': configText(hours) });
    const other = await cuecard(['inspect', '--base', 'rooms'], { cwd });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('it has hours');
    const settings = await cuecard(['bake', '--chunk-size', '50'], { cwd });
    expect(settings.code).toBe(2);
    expect(settings.stderr).toContain('--chunk-size goes with documents');
    const embedder = await cuecard(['look', 'mondays', '--embedder', 'local'], { cwd });
    expect(embedder.code).toBe(2);
    expect(embedder.stderr).toContain('--embedder does not go with a config');
    const index = await cuecard(['look', 'mondays', 'cuecard.config.ts', '--index', 'index'], {
      cwd,
    });
    expect(index.code).toBe(2);
  });
});

describe('an error nobody foresaw', () => {
  const text = `const fail = async () => { throw new TypeError('out of luck'); };
const methods = { bake: fail, start: fail, search: fail, check: fail, inspect: fail };
export default { bases: [{ name: 'odd', ...methods, close: async () => console.log('closed') }] };`;

  it('ends with 1, closes the base, and shows its stack only when asked to', async () => {
    const cwd = await projectFolder({ 'cuecard.config.ts': text });
    const plain = await cuecard(['inspect', '--json'], { cwd });
    expect(plain.code).toBe(1);
    expect(JSON.parse(plain.stdout)).toEqual({
      error: { code: 'unexpected', message: 'out of luck' },
    });
    expect(plain.stderr).toBe('closed\ncuecard: out of luck\n');
    const traced = await cuecard(['inspect'], { cwd, environment: { CUECARD_DEBUG: '1' } });
    expect(traced.stderr).toMatch(/^TypeError: out of luck\n\s+at /m);
  });
});
