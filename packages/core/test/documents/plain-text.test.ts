import { describe, expect, it } from 'vitest';

import { parsePlainText } from '../../src/documents/plain-text.js';
import { readDocument } from '../../src/documents/read-document.js';
import { tempFolder } from './temp-folder.js';

const paragraphs = (text: string): string[] =>
  parsePlainText(text).blocks.flatMap(({ parts }) => parts.map((part) => part.text));

describe('plain text', () => {
  it('has a part a paragraph and no headings', () => {
    expect(parsePlainText('One\nline.\n\n \n\nTwo\tlines.\n')).toEqual({
      blocks: [
        {
          kind: 'prose',
          heading: [],
          parts: [
            { text: 'One line.', raw: 'One\nline.' },
            { text: 'Two lines.', raw: 'Two\tlines.' },
          ],
        },
      ],
      warnings: [],
    });
  });

  it('parts paragraphs at lines of white space only', () => {
    expect(paragraphs('a\n \t\nb\n\u3000\nc')).toEqual(['a', 'b', 'c']);
  });

  it('joins lines of Japanese and Chinese without a space', () => {
    expect(paragraphs('予約は到着の\n二日前まで、\n無料です。')).toEqual([
      '予約は到着の二日前まで、無料です。',
    ]);
    expect(paragraphs('予約は\nOnline\nで')).toEqual(['予約は Online で']);
  });

  it('leaves out what nobody sees', () => {
    expect(paragraphs('soft\u00adhyphen zero\u200bwidth \u202aleft\u202c')).toEqual([
      'softhyphen zerowidth left',
    ]);
  });

  it('keeps the joiners inside an emoji and between Persian letters', () => {
    expect(paragraphs('👨‍👩‍👧 می‌خواهم')).toEqual(['👨‍👩‍👧 می‌خواهم']);
  });

  it('names a file that cannot be opened', async () => {
    const root = await tempFolder({ 'folder.md/a.md': 'a' });
    const failure = {
      code: 'document-unreadable',
      reason: 'not-accessible',
      document: 'folder.md',
    };
    await expect(readDocument(`${root}/folder.md`)).rejects.toMatchObject(failure);
  });

  it('names a file that does not exist', async () => {
    const root = await tempFolder();
    const failure = { code: 'document-unreadable', reason: 'not-accessible', document: 'none.txt' };
    await expect(readDocument(`${root}/none.txt`)).rejects.toMatchObject(failure);
  });
});
