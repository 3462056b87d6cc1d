import { afterEach, describe, expect, it, vi } from 'vitest';

import { parseDocument } from '../../src/documents/read-document.js';
import type { Document } from '../../src/documents/source.js';
import { KnowledgeError } from '../../src/errors.js';
import { splitWhole } from '../support/split-whole.js';
import { buildPdf, type PdfLine } from './pdf-builder.js';

vi.setConfig({ testTimeout: 60_000 });

const read = (bytes: Uint8Array): Promise<Document> => parseDocument('a.pdf', bytes);
/** Lines under each other as a paragraph has them; an empty one leaves a gap. */
const column = (...texts: string[]): PdfLine[] =>
  texts.flatMap((text, at) => (text === '' ? [] : [{ y: 760 - 14 * at, text }]));
const texts = ({ blocks }: Document): string[] =>
  blocks.flatMap(({ parts }) => parts.map(({ text }) => text));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('PDF', () => {
  it('has a block a page, numbered from 1, and a part a paragraph', async () => {
    const pdf = buildPdf([
      column('Bags up to', '8 kg fly free.', '', '', 'Fees (2025): £5.'),
      column('Page two.'),
    ]);
    const { blocks, warnings } = await read(pdf);
    expect(warnings).toEqual([]);
    expect(blocks).toEqual([
      {
        kind: 'prose',
        heading: [],
        parts: [{ text: 'Bags up to 8 kg fly free.' }, { text: 'Fees (2025): £5.' }],
        position: { kind: 'page', start: 1, end: 1 },
      },
      {
        kind: 'prose',
        heading: [],
        parts: [{ text: 'Page two.' }],
        position: { kind: 'page', start: 2, end: 2 },
      },
    ]);
  });

  it('gives a passage the pages it comes from', async () => {
    const document = await read(buildPdf([column('First page.'), column('Second page.')]));
    const passages = splitWhole(document, 0, { chunkSize: 90, chunkOverlap: 20 });
    expect(passages.map(({ text, position }) => [text, position])).toEqual([
      ['First page.\nSecond page.', { kind: 'page', start: 1, end: 2 }],
    ]);
  });

  it('makes a word whole that a line end parts', async () => {
    expect(texts(await read(buildPdf([column('The compen-', 'sation is paid.')])))).toEqual([
      'The compensation is paid.',
    ]);
    expect(texts(await read(buildPdf([column('The compen\u00ad', 'sation is paid.')])))).toEqual([
      'The compensation is paid.',
    ]);
  });

  it('keeps the hyphen of a word that the document hyphenates elsewhere', async () => {
    const pdf = buildPdf([column('Use the check-', 'in desk.'), column('Check-in opens at 5.')]);
    expect(texts(await read(pdf))).toEqual(['Use the check-in desk.', 'Check-in opens at 5.']);
  });

  it('keeps a hyphen before a capital, a figure and an ended word', async () => {
    const pdf = buildPdf([column('Edinburgh-', 'Leith, seats 5-', '7, bags -', 'free.')]);
    expect(texts(await read(pdf))).toEqual(['Edinburgh- Leith, seats 5- 7, bags - free.']);
  });

  it('names the pages that have no text', async () => {
    const pdf = buildPdf([[], column('Text.'), [], column('More.'), []]);
    const { blocks, warnings } = await read(pdf);
    expect(warnings).toEqual(['no text on page 1, 3, 5']);
    expect(blocks.map(({ position }) => position?.start)).toEqual([2, 4]);
  });

  it('refuses a file without any text', async () => {
    const failure = { code: 'document-unreadable', reason: 'no-text-layer', document: 'a.pdf' };
    await expect(read(buildPdf([[], []]))).rejects.toMatchObject(failure);
  });

  it('refuses a file that needs a password', async () => {
    const failure = { code: 'document-unreadable', reason: 'encrypted', document: 'a.pdf' };
    await expect(read(buildPdf([column('Secret.')], { locked: true }))).rejects.toMatchObject(
      failure,
    );
  });

  it.each([
    ['no bytes', new Uint8Array()],
    ['text', Buffer.from('This is not a PDF.')],
    ['only the first line', Buffer.from('%PDF-1.7\n')],
    ['zeros', new Uint8Array(5000)],
    ['no pages', buildPdf([])],
  ])('refuses a file of %s', async (_, bytes) => {
    const failure = { code: 'document-unreadable', document: 'a.pdf' };
    await expect(read(bytes)).rejects.toMatchObject({
      ...failure,
      reason: expect.stringMatching(/broken|no-text-layer/),
    });
  });

  it('reads or refuses a file that was cut anywhere, and never hangs', async () => {
    const whole = buildPdf([column('Bags fly free.'), column('Page two.')]);
    for (let length = 0; length < whole.length; length += 97) {
      const outcome = await read(whole.subarray(0, length)).then(
        () => 'text',
        (error: unknown) => (error instanceof KnowledgeError ? error.code : error),
      );
      expect(['text', 'document-unreadable']).toContain(outcome);
    }
  });

  it('leaves the bytes it is given as they are', async () => {
    const bytes = buildPdf([column('Text.')]);
    const before = Uint8Array.from(bytes);
    await read(bytes);
    await read(bytes);
    expect(Uint8Array.from(bytes)).toEqual(before);
  });

  it('reads several files at once', async () => {
    const all = Array.from({ length: 12 }, (_, at) =>
      buildPdf([column(`File ${at}.`), column('Two.')]),
    );
    const documents = await Promise.all(all.map(read));
    expect(documents.map((document) => texts(document)[0])).toEqual(
      all.map((_, at) => `File ${at}.`),
    );
  });

  it('prints nothing and fetches nothing, also for files that are damaged', async () => {
    const printed = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockReturnValue(undefined),
    );
    const written = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const fetched = vi.fn<typeof fetch>();
    vi.stubGlobal('fetch', fetched);
    const whole = buildPdf([column('Text.')]);
    const unknownFont = Buffer.from(
      Buffer.from(whole).toString('latin1').replace('/Helvetica', '/Nowhere99'),
      'latin1',
    );
    for (const bytes of [
      whole,
      unknownFont,
      whole.subarray(0, 300),
      Buffer.from('%PDF-1.7\nx'),
      buildPdf([[]], { locked: true }),
    ]) {
      await read(bytes).catch(() => undefined);
    }
    for (const spy of [...printed, ...written, fetched]) expect(spy).not.toHaveBeenCalled();
  });
});
