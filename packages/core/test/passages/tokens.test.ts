import * as fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it, vi } from 'vitest';

import { tokenCount } from '../../src/passages/tokens.js';

vi.setConfig({ testTimeout: 60_000 });

describe('tokenCount', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['払い戻し', 6],
  ])('of %j is %i', (text, tokens) => {
    expect(tokenCount(text)).toBe(tokens);
  });

  it('is what cl100k gives for texts of ordinary words, however long', () => {
    const word = fc.constantFrom(
      'refund',
      "don't",
      'AB-1203',
      '£19.99',
      '"quoted"',
      'e.g.',
      '…',
      '予約は、',
      '(a)',
      '\n',
      '12345',
      'Zürich',
    );
    const texts = fc.array(word, { maxLength: 400 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(texts, (text) => {
        expect(tokenCount(text)).toBe(encode(text).length);
      }),
      { numRuns: 60 },
    );
  });

  it('counts what has no break in pieces, close to the exact number', () => {
    expect(tokenCount('a'.repeat(4096))).toBe(encode('a'.repeat(4096)).length);
    const japanese = '予約は到着の二日前まで無料で取り消せます'.repeat(50);
    expect(Math.abs(tokenCount(japanese) / encode(japanese).length - 1)).toBeLessThan(0.01);
  });

  it('ends for a million equal signs', () => {
    expect(tokenCount('='.repeat(1_000_000))).toBeGreaterThan(0);
  });
});
