import { describe, expect, it, vi } from 'vitest';

import { parseMarkdown } from '../../src/documents/markdown.js';
import type { Block, Document } from '../../src/documents/source.js';
import type { Passage } from '../../src/passages/passage.js';
import { tokenCount } from '../../src/passages/tokens.js';
import { splitWhole } from '../support/split-whole.js';
import { documentOf } from './documents.js';

vi.setConfig({ testTimeout: 60_000 });

const usual = { chunkSize: 90, chunkOverlap: 20 };
const split = (document: Document, options = usual): Passage[] => splitWhole(document, 0, options);
const ask = (question: string): Block => ({
  kind: 'question',
  heading: ['FAQ'],
  question,
  parts: [{ text: 'Yes.' }],
});
const sections = (source: string): (readonly string[])[] =>
  split(parseMarkdown(source)).map(({ heading, text }) => [heading.join('/'), text]);
const texts = (passages: readonly Passage[]): string[] => passages.map(({ text }) => text);

describe('splitting prose', () => {
  const sentences = Array.from(
    { length: 12 },
    (_, at) => `Sentence number ${at} says something of luggage.`,
  );

  it('cuts at sentence ends and repeats the last sentences that fit the overlap', () => {
    const passages = split(documentOf('prose', sentences.join(' ')), {
      chunkSize: 30,
      chunkOverlap: 10,
    });
    expect(texts(passages).slice(0, 2)).toEqual([
      sentences.slice(0, 3).join(' '),
      sentences.slice(2, 5).join(' '),
    ]);
    expect(passages[1]?.overlap).toBe(sentences[2]?.length);
  });

  it('repeats nothing without an overlap', () => {
    const passages = split(documentOf('prose', sentences.join(' ')), {
      chunkSize: 30,
      chunkOverlap: 0,
    });
    expect(texts(passages).join(' ')).toBe(sentences.join(' '));
  });

  it('keeps paragraphs on lines of their own', () => {
    expect(texts(split(documentOf('prose', 'One.', 'Two.')))).toEqual(['One.\nTwo.']);
  });

  it('puts no space where there was none: addresses, Japanese', () => {
    const address = 'See https://e.com/a?b=c!d or v1.2 now.';
    expect(texts(split(documentOf('prose', address)))).toEqual([address]);
    const japanese = '予約は無料です。取消もできます。お電話ください。';
    expect(texts(split(documentOf('prose', japanese)))).toEqual([japanese]);
  });

  it.each([
    [
      'words without punctuation',
      'and then we went to the room because the light was on '.repeat(400).trim(),
    ],
    [
      'Japanese without spaces',
      '予約は到着の二日前まで無料で取り消せますお支払いは到着時です'.repeat(100),
    ],
    ['Thai', 'การคืนเงินจะดำเนินการภายในสิบสี่วันผ่านช่องทางเดิม'.repeat(100)],
    ['a word of 50,000 letters', 'a'.repeat(50_000)],
    [
      'random letters',
      Array.from({ length: 50_000 }, (_, at) =>
        String.fromCodePoint(97 + ((at * at * 7 + at * 13) % 26)),
      ).join(''),
    ],
    ['emoji', '👨‍👩‍👧‍👦🇵🇹😀'.repeat(1000)],
    ['signs', '*=-'.repeat(10_000)],
    ['letters with many marks', `e${'\u0301'.repeat(5)}`.repeat(2000)],
  ])('cuts %s and loses nothing', (_, text) => {
    const passages = split(documentOf('prose', text));
    expect(passages.length).toBeGreaterThan(1);
    expect(Math.max(...passages.map((passage) => tokenCount(passage.text)))).toBeLessThanOrEqual(
      90,
    );
    const joined = passages.map((passage) => passage.text.slice(passage.overlap)).join('');
    expect(joined.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  it('splits a megabyte', () => {
    const paragraph = `${sentences.join(' ')} `.repeat(10).trim();
    const document = documentOf('prose', ...Array.from({ length: 200 }, () => paragraph));
    const passages = split(document);
    expect(passages.length).toBeGreaterThan(2000);
    expect(Math.max(...passages.map(({ tokens }) => tokens))).toBeLessThanOrEqual(90);
  });
});

describe('splitting rows, items, code and questions', () => {
  it('keeps rows and items whole, and repeats none', () => {
    const rows = Array.from(
      { length: 30 },
      (_, at) => `Fare: Saver ${at}; Change fee: ${at} GBP. Not refundable.`,
    );
    for (const kind of ['table', 'list'] as const) {
      const passages = split(documentOf(kind, ...rows));
      expect(passages.flatMap(({ text }) => text.split('\n'))).toEqual(rows);
      expect(passages.every((passage) => passage.kind === kind && passage.overlap === 0)).toBe(
        true,
      );
    }
  });

  it('cuts a row that is too long between words, its columns readable', () => {
    const row = `Fare: Saver; Rules: ${'no refund before departure, '.repeat(40)}ask; Fee: 25 GBP.`;
    const passages = split(documentOf('table', row));
    expect(texts(passages)[0]).toMatch(/^Fare: Saver; Rules: no refund/);
    expect(texts(passages).at(-1)).toMatch(/Fee: 25 GBP\.$/);
    expect(texts(passages).join(' ')).toBe(row);
  });

  it('cuts long code between lines and keeps how they are indented', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `${' '.repeat(2 * (at % 3))}call(${at});`);
    const passages = split(documentOf('code', lines.join('\n')));
    expect(passages.length).toBeGreaterThan(1);
    expect(texts(passages).join('\n')).toBe(lines.join('\n'));
  });

  it('never cuts the answer to a question', () => {
    const answer = 'Refunds take fourteen days. '.repeat(40).trim();
    const block = {
      kind: 'question',
      heading: [],
      question: 'How long?',
      parts: [{ text: answer }],
    } as const;
    expect(split({ blocks: [block], warnings: [] })).toMatchObject([
      { kind: 'question', question: 'How long?', text: answer, tokens: tokenCount(answer) },
    ]);
  });

  it('makes a passage for each question', () => {
    const passages = split({ blocks: [ask('A?'), ask('B?')], warnings: [] });
    expect(passages.map(({ question, text }) => [question, text])).toEqual([
      ['A?', 'Yes.'],
      ['B?', 'Yes.'],
    ]);
  });

  it('gives the raw text of whole rows beside what is said', () => {
    const { blocks } = parseMarkdown('| A | B |\n|--|--|\n| 1 | 2 |\n| 3 | 4 |');
    expect(split({ blocks, warnings: [] })).toMatchObject([
      { text: 'A: 1; B: 2.\nA: 3; B: 4.', raw: '| 1 | 2 |\n| 3 | 4 |' },
    ]);
  });
});

describe('sections', () => {
  const long =
    'This section says so much of luggage that it can stand alone, because it has more than twenty tokens in all.';

  it('are never mixed in a passage', () => {
    expect(sections(`## A\n\n${long}\n\n## B\n\n${long}`)).toEqual([
      ['A', long],
      ['B', long],
    ]);
  });

  it('join the next sibling when they are small, with their heading said', () => {
    expect(sections(`## A\n\nFree.\n\n## B\n\n${long}`)).toEqual([['B', `A\nFree.\nB\n${long}`]]);
    expect(sections('## A\n\nFree.\n\n## B\n\nDear.\n\n## C\n\nMore.')).toEqual([
      ['C', 'A\nFree.\nB\nDear.\nC\nMore.'],
    ]);
  });

  it('stay alone when they are small and no sibling follows', () => {
    expect(sections(`## A\n\n### B\n\nFree.\n\n## C\n\n${long}`)).toEqual([
      ['A/B', 'Free.'],
      ['C', long],
    ]);
    expect(sections(`## A\n\n${long}\n\n## B\n\nFree.`)).toEqual([
      ['A', long],
      ['B', 'Free.'],
    ]);
  });

  it('are kept when they are only a heading, unless it holds other headings', () => {
    expect(sections(`## A\n\n${long}\n\n## Only a heading`)).toEqual([
      ['A', long],
      ['Only a heading', 'Only a heading'],
    ]);
    expect(sections(`## A\n\n### B\n\n${long}`)).toEqual([['A/B', long]]);
  });

  it('are told apart when two have the same heading', () => {
    expect(sections(`## A\n\n${long}\n\n## A\n\n${long}`)).toEqual([
      ['A', long],
      ['A', long],
    ]);
  });
});
