import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { parseDocument } from '../../src/documents/read-document.js';
import { KnowledgeError } from '../../src/errors.js';

vi.setConfig({ testTimeout: 60_000 });

const read = (source: string): Promise<unknown> => parseDocument('a.md', Buffer.from(source));
/** All that is said, or the code of our error, or an error that is not ours. */
const outcome = (source: string): Promise<unknown> =>
  read(source).then(JSON.stringify, (error: unknown) =>
    error instanceof KnowledgeError ? error.code : error,
  );
const many = 10_000;

describe('Markdown that no person wrote', () => {
  it.each([
    ['quotations', `${'>'.repeat(many)} deep`],
    ['lists', `${'- '.repeat(many)}deep`],
    ['numbered lists', `${'1. '.repeat(many)}deep`],
    ['lists in quotations', `${'> - '.repeat(many)}deep`],
    [
      'indented lists',
      Array.from({ length: 400 }, (_, at) => `${'  '.repeat(at)}- deep`).join('\n'),
    ],
    ['brackets', '['.repeat(many)],
    ['paired brackets', `${'['.repeat(many / 2)}deep${']'.repeat(many / 2)}`],
    ['links', `${'['.repeat(many / 2)}deep${'](u)'.repeat(many / 2)}`],
    ['images', '![['.repeat(many / 2)],
    ['stars', `${'*'.repeat(many)}deep${'*'.repeat(many)}`],
    ['emphasis', '*a **deep '.repeat(many / 2)],
    ['underscores', `${'_'.repeat(many)}deep${'_'.repeat(many)}`],
    ['backticks', Array.from({ length: 500 }, (_, at) => '`'.repeat(at)).join(' deep ')],
    ['struck-out text', '~~deep '.repeat(many)],
    ['HTML', `deep ${'<b>'.repeat(many)}`],
    ['comments', '<!--'.repeat(many)],
    ['entities', '&'.repeat(many)],
    ['footnotes', '[^'.repeat(many)],
    ['cells', `${'|'.repeat(many)}\n${'|-'.repeat(many)}`],
    ['front matter', `---\na: ${'['.repeat(many)}\n---\ndeep`],
    ['addresses', 'a@'.repeat(many)],
  ])('ends, with text or an error of ours: %s', async (_, source) => {
    expect(await outcome(source)).toMatch(/^\{|^document-unreadable$/);
  });

  it('keeps the text below quotations and lists that are nested without end', async () => {
    for (const nested of [`${'>'.repeat(many)} deep`, `${'- '.repeat(many)}deep`]) {
      expect(JSON.stringify(await read(nested))).toContain('deep');
    }
  });

  it('never fails with anything but an error of ours, and gives no empty part', async () => {
    const piece = fc.constantFrom(
      '# ',
      '- ',
      '1. ',
      '> ',
      '|a|b|\n|-|-|\n|',
      '**',
      '~~',
      '`',
      '[x](y)',
      '![',
      '<b>',
      '<!--',
      '\n',
      '\n\n',
      '    ',
      '---\n',
      '[^1]',
      'word ',
      '&amp;',
      '\\',
    );
    const source = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(source, async (markdown) => {
        const said = await outcome(markdown);
        expect(said).toMatch(/^\{|^document-unreadable$/);
        expect(said).not.toContain('"text":""');
      }),
      { numRuns: 300 },
    );
  });
});
