import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { cuecard, knowledge, temporaryFolder } from './run-cli.js';

describe('cuecard inspect', () => {
  it('shows settings, sizes, documents and the longest and shortest passages', async () => {
    const index = await temporaryFolder();
    await cuecard(['bake', join(knowledge, 'refunds'), '--index', index]);
    const asJson = await cuecard(['inspect', index, '--json']);
    const summary: { counts: { passages: number }; documents: { passages: number }[] } = JSON.parse(
      asJson.stdout,
    );
    expect(summary).toMatchObject({
      base: { name: 'refunds', tenant: null },
      settings: { mode: 'keyword', chunkSize: 90, chunkOverlap: 20, language: 'auto' },
      counts: { documents: 4 },
    });
    const passages = summary.documents.reduce((sum, document) => sum + document.passages, 0);
    expect(passages).toBe(summary.counts.passages);
    const told = await cuecard(['inspect', '--index', index]);
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(told.stdout).toContain(`4 documents, ${passages} passages`);
    expect(told.stdout).toMatch(/^ {2}keywords\.bin +[\d.]+ kB$/m);
    expect(told.stdout).toMatch(/^ {2}refunds\.md +[\d.]+ kB +\d+ +\d+$/m);
    expect(told.stdout).toMatch(/^longest passages, in tokens\n +\d+ {2}\S+\.(md|txt) /m);
    expect(told.stdout).toMatch(/^shortest passages, in tokens\n +\d+ {2}\S+\.(md|txt) /m);
  });

  it('shows what documents would become without an index', async () => {
    const folder = await temporaryFolder({ 'hours.txt': 'We are open on Mondays.' });
    const { code, stdout } = await cuecard(['inspect', folder, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      counts: { documents: 1, passages: 1 },
      longest: [{ document: 'hours.txt', text: 'We are open on Mondays.' }],
    });
  });
});
