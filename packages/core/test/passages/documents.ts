import * as fc from 'fast-check';

import type { Block, BlockKind, Document } from '../../src/documents/source.js';

/** A document of blocks without headings, a part a text. */
export function documentOf(kind: BlockKind, ...texts: readonly string[]): Document {
  return { blocks: [{ kind, heading: [], parts: texts.map((text) => ({ text })) }], warnings: [] };
}

const word = fc.oneof(
  fc.constantFrom(
    'refund',
    'AB-1203',
    '£19.99',
    'a@b.example',
    'e.g.',
    'Zürich',
    'x\u0301\u0323',
    '👨‍👩‍👧‍👦',
    '🇵🇹',
    '---',
    '"Flex"',
    '1,203',
    'https://e.com/a?b=c',
    '予約は無料です。',
    'การคืนเงิน',
    'الأمتعة',
    'don’t',
    '<|endoftext|>',
  ),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((text) => text.replaceAll(/\s+/g, '') || 'x'),
  fc.stringMatching(/^[a-z]{1,30}$/),
);
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 30 }), fc.constantFrom('.', '?', '', ':'))
  .map(([words, stop]) => words.join(' ') + stop);
const text = fc
  .array(sentence, { minLength: 1, maxLength: 5 })
  .map((sentences) => sentences.join(' '));
const heading = fc.array(fc.constantFrom('Fares', 'Luggage', 'Refunds'), { maxLength: 3 });
const block: fc.Arbitrary<Block> = fc.record({
  kind: fc.constantFrom('prose', 'list', 'table', 'code', 'transcript'),
  heading,
  parts: fc.array(fc.record({ text }), { maxLength: 4 }),
});

/** Documents as readers give them: trimmed texts, single spaces, blocks that only open a heading. */
export const anyDocument: fc.Arbitrary<Document> = fc
  .array(block, { maxLength: 8 })
  .map((blocks) => ({ blocks, warnings: [] }));

/** Splitter options inside their ranges. */
export const anyOptions: fc.Arbitrary<{ chunkSize: number; chunkOverlap: number }> = fc
  .tuple(fc.integer({ min: 1, max: 120 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([chunkSize, share]) => ({ chunkSize, chunkOverlap: Math.round(share * chunkSize) }));
