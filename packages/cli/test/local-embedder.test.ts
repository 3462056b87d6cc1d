import { beforeAll, describe, expect, it } from 'vitest';

import { folderOfDocuments, query } from './few-documents.js';
import { cuecard, temporaryFolder, type Ended } from './run-cli.js';

const folder = folderOfDocuments();
const run = (...args: readonly string[]): Promise<Ended> => cuecard(args, { cwd: folder() });

/** `index` is hybrid, `plain` by keywords. */
let baked: Ended;

beforeAll(async () => {
  baked = await run('bake', 'docs', '--index', 'index', '--embedder', 'local');
  await run('bake', 'docs', '--index', 'plain');
});

describe('cuecard bake --embedder local', () => {
  it('shows that it embeds', () => {
    expect(baked.code).toBe(0);
    expect(baked.stderr).toBe(
      'docs: reading documents\ndocs: indexing passages\ndocs: embedding passages\ndocs: writing files\n',
    );
  });

  it('bakes hybrid, or in the mode that is given', async () => {
    const hybrid = await run('inspect', 'index', '--json');
    expect(JSON.parse(hybrid.stdout)).toMatchObject({ settings: { mode: 'hybrid' } });
    await run('bake', 'docs', '--index', 'meaning', '--embedder', 'local', '--mode', 'meaning');
    const meaning = await run('inspect', 'meaning', '--json');
    expect(JSON.parse(meaning.stdout)).toMatchObject({ settings: { mode: 'meaning' } });
  });

  it('prints one JSON document, and the same index the second time', async () => {
    const again = await run('bake', 'docs', '--index', 'index', '--embedder', 'local', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ base: 'docs', written: false });
  });

  it('says to pass an embedder where the mode needs one', async () => {
    const { code, stderr } = await run('bake', 'docs', '--index', 'other', '--mode', 'hybrid');
    expect(code).toBe(2);
    expect(stderr).toContain('--mode hybrid needs an embedder; pass --embedder local');
  });

  it('warns of documents in a language that the embedder does not know', async () => {
    const cwd = await temporaryFolder({
      'docs/zeiten.txt': 'Der Schalter öffnet werktags um neun Uhr und schließt am Abend um sechs.',
    });
    const args = ['bake', 'docs', '--index', 'index', '--embedder', 'local', '--language', 'de'];
    const { code, stderr } = await cuecard(args, { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain(
      "warning: Base 'docs': embedder 'use-lite' does not know the language",
    );
  });
});

describe('cuecard look', () => {
  it('takes the local embedder by itself for an index that was baked with it', async () => {
    const { code, stdout, stderr } = await run('look', query, '--index', 'index', '--json');
    expect(code).toBe(0);
    expect(stderr).toBe('');
    const outcome: { mode: string; results: { source: string; score: number }[] } =
      JSON.parse(stdout);
    expect(outcome).toMatchObject({ mode: 'hybrid', results: [{ source: 'money.md' }, {}, {}] });
    for (const { score } of outcome.results) expect(Math.abs(score)).toBeLessThanOrEqual(1);
  });

  it('shows one question in the three modes over one index', async () => {
    const keyword = await run('look', query, 'index', '--mode', 'keyword');
    expect(keyword).toMatchObject({ code: 3, stderr: '' });
    expect(keyword.stdout).toMatch(/^Nothing found in .* \(keyword\)\.\n$/);
    for (const mode of ['meaning', 'hybrid']) {
      const { code, stdout } = await run('look', query, 'index', '--mode', mode);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^1\. {2}Tickets are .*\n {4}— money\.md · score 0\.\d{3}\n/);
      expect(stdout).toMatch(new RegExp(`passages in [\\d.]+ ms \\(${mode}\\)\\.\n$`));
    }
  });

  it('shows no score for what keywords alone found', async () => {
    const { stdout } = await run('look', 'dogs in the cabin', 'plain');
    expect(stdout).toContain('— pets.md\n');
    expect(stdout).not.toContain('score');
  });

  it('searches documents without an index by meaning too', async () => {
    const { code, stdout } = await run('look', query, 'docs', '--embedder', 'local', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      mode: 'hybrid',
      results: [{ source: 'money.md' }, {}, {}],
    });
  });

  it.each([
    ['--mode', 'hybrid'],
    ['--embedder', 'local'],
  ])('says that an index has no vectors for %s %s', async (option, value) => {
    const { code, stdout } = await run('look', query, 'plain', option, value, '--json');
    expect(code).toBe(2);
    const { error }: { error: { code: string; message: string } } = JSON.parse(stdout);
    expect(error.code).toBe('usage-invalid');
    expect(error.message).toContain(`${option} ${value} needs vectors, and the index has none`);
  });
});

describe('cuecard inspect', () => {
  it('shows the embedder and the size of the vectors', async () => {
    const { code, stdout, stderr } = await run('inspect', 'index');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^embedder +use-lite, revision [0-9a-f]{12}, reads 128 tokens of a text$/m,
    );
    expect(stdout).toMatch(/^vectors +512 dimensions, [\d.]+ kB, 1\.\d kB a passage$/m);
    expect(stdout).toMatch(/^ {2}vectors\.usearch +[\d.]+ kB$/m);
    const asJson = await run('inspect', 'index', '--json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      embedder: { id: 'use-lite', dimensions: 512, maxTokens: 128 },
    });
  });

  it('shows no embedder where there are no vectors', async () => {
    const { stdout } = await run('inspect', 'plain');
    expect(stdout).not.toMatch(/^(embedder|vectors) /m);
    const asJson = await run('inspect', 'plain', '--json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({ embedder: null });
  });

  it('shows what documents would become with an embedder', async () => {
    const { stdout } = await run('inspect', 'docs', '--embedder', 'local', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ embedder: { id: 'use-lite' } });
  });
});

describe('cuecard check', () => {
  it('needs no embedder for a hybrid index, and compares the one that is given', async () => {
    const alone = await run('check', 'docs', '--index', 'index', '--json');
    expect(JSON.parse(alone.stdout)).toMatchObject({ state: 'fresh' });
    const args = ['check', 'docs', '--index', 'index', '--json', '--embedder'];
    const same = await run(...args, 'local');
    expect(same.code).toBe(0);
    expect(JSON.parse(same.stdout)).toMatchObject({ state: 'fresh' });
    const other = await run(...args, 'openai');
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout)).toMatchObject({ state: 'mismatch' });
  });
});
