import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { configText, cuecard, knowledge, projectFolder, temporaryFolder } from './run-cli.js';

const refunds = join(knowledge, 'refunds');

let index = '';

beforeAll(async () => {
  index = await mkdtemp(join(tmpdir(), 'cuecard-cli-'));
  await cuecard(['bake', refunds, '--index', index]);
});

afterAll(() => rm(index, { recursive: true, force: true }));

const withoutTime = (text: string): string => text.replace(/[\d.]+ ms/, '');

describe('cuecard look', () => {
  it('needs nothing but the index', async () => {
    const args = ['look', 'how long do refunds take', '--index', index, '--json'];
    const { code, stdout, stderr } = await cuecard(args);
    expect(code).toBe(0);
    expect(stderr).toBe('');
    const outcome: { results: { text: string; source: string }[] } = JSON.parse(stdout);
    expect(outcome).toMatchObject({ base: 'refunds', status: 'found', mode: 'keyword' });
    expect(outcome.results.length).toBe(3);
    for (const { text, source } of outcome.results) {
      expect(text).not.toBe('');
      expect(source).toMatch(/^[^/\\]+\.(md|txt)$/);
    }
  });

  it('takes the index as its target too', async () => {
    const asOption = await cuecard(['look', 'refunds', '--index', index]);
    const asTarget = await cuecard(['look', 'refunds', index]);
    expect(asTarget.code).toBe(0);
    expect(withoutTime(asTarget.stdout)).toBe(withoutTime(asOption.stdout));
  });

  it('shows rank, text, source, heading, page and time to a person', async () => {
    const folder = await temporaryFolder({
      'hours.md': '# Hours\n\n## Desk\n\nThe desk opens at nine.\n',
    });
    const text = await cuecard(['look', 'when does the desk open', folder]);
    expect(text.stdout).toMatch(
      /^1\. {2}The desk opens at nine\.\n {4}— hours\.md · Desk\n\n1 passage in \d+\.\d ms \(keyword\)\.\n$/,
    );
    const pdf = await cuecard(['look', 'charges', join(knowledge, 'luggage/luggage-charges.pdf')]);
    expect(pdf.stdout).toMatch(/— luggage-charges\.pdf · .*pages? \d/);
  });

  it('reads documents without an index, and warns that this is slow', async () => {
    const { code, stdout, stderr } = await cuecard(['look', 'refunds', refunds, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ base: 'refunds', status: 'found' });
    expect(stderr).toContain('no baked index');
  });

  it('shows as many passages as asked for', async () => {
    const { stdout } = await cuecard(['look', 'refunds', index, '--top-k', '7', '--json']);
    const outcome: { results: unknown[] } = JSON.parse(stdout);
    expect(outcome.results).toHaveLength(7);
  });

  it('ends with 3 when nothing was found', async () => {
    const told = await cuecard(['look', 'zyxwvutsrq', index]);
    expect(told.code).toBe(3);
    expect(told.stdout).toMatch(/^Nothing found in /);
    const asJson = await cuecard(['look', 'zyxwvutsrq', index, '--json']);
    expect(asJson.code).toBe(3);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ status: 'nothing', results: [] });
  });

  it('shows no path of the machine', async () => {
    const runs = await Promise.all([
      cuecard(['look', 'refunds', '--index', index, '--json']),
      cuecard(['look', 'refunds', refunds, '--json']),
      cuecard(['look', 'refunds', index]),
      cuecard(['inspect', index, '--json']),
      cuecard(['inspect', refunds]),
    ]);
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      expect(stdout).not.toContain(index);
      expect(stdout).not.toContain(knowledge);
      expect(stdout).not.toContain(process.cwd());
      expect(stdout).not.toContain(`${homedir()}/`);
    }
  });

  it('keeps control characters of a file name from the terminal', async () => {
    const folder = await temporaryFolder({ 'odd\u001B[31m.txt': 'The desk opens at nine.' });
    const { stdout } = await cuecard(['look', 'desk', folder]);
    expect(stdout).toContain('— odd[31m.txt');
    expect(stdout).not.toContain('\u001B');
  });

  it('searches every base of a config, or the one that is named', async () => {
    const folder = await projectFolder({
      'hours/hours.txt': 'The desk opens at nine.',
      'rooms/rooms.txt': 'Room twelve has a desk and a view.',
      'cuecard.config.ts': configText(
        `{ name: 'hours', mode, documents: here('hours') }`,
        `{ name: 'rooms', mode, tenant: 'Skerry', documents: here('rooms') }`,
      ),
    });
    const all = await cuecard(['look', 'desk', '--json'], { cwd: folder });
    expect(all.code).toBe(0);
    expect(JSON.parse(all.stdout)).toMatchObject({
      bases: [
        { base: 'hours', results: [{ source: 'hours.txt' }] },
        { base: 'rooms', tenant: 'Skerry', results: [{ source: 'rooms.txt' }] },
      ],
    });
    const half = await cuecard(['look', 'view'], { cwd: folder });
    expect(half.code).toBe(0);
    expect(half.stdout).toMatch(/^\[hours\]\nNothing found .*\n\n\[rooms\]\n1\. {2}Room twelve/);
    const one = await cuecard(['look', 'view', '--base', 'hours', '--json'], { cwd: folder });
    expect(one.code).toBe(3);
    expect(JSON.parse(one.stdout)).toMatchObject({ base: 'hours', results: [] });
  });

  it('fails with 1 when there is no index', async () => {
    const folder = await temporaryFolder();
    const { code, stdout } = await cuecard(['look', 'refunds', '--index', folder, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'index-missing' } });
  });
});
