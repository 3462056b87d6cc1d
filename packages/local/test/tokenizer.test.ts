import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { prepareText, Tokenizer } from '../src/tokenizer.js';

const marks = ['<unk>', '<s>', '</s>', '<1>', '<2>', '<3>'];
const pieces = ['\u2581', 'a', 'b', 'ab', '\u2581ab', 'abab', 'c', '\u{1f642}'];
const scores = [-3, -4, -4, -5, -6, -20, -5, -9];
const vocabulary = {
  pieces: [...marks, ...pieces],
  scores: [...marks.map(() => 0), ...scores],
};
const tokenizer = new Tokenizer(vocabulary);

function cut(text: string, limit = 128): string[] {
  return tokenizer.encode(text, limit).map((index) => vocabulary.pieces[index] ?? '');
}

describe('the tokenizer', () => {
  it('takes the likeliest pieces, not the longest', () => {
    expect(cut('abab')).toEqual(['\u2581ab', 'ab']);
    expect(cut('ab c')).toEqual(['\u2581ab', '\u2581', 'c']);
  });

  it('makes one token of a run of unknown symbols', () => {
    expect(cut('a日本b')).toEqual(['\u2581', 'a', '<unk>', 'b']);
  });

  it('never cuts a symbol in two', () => {
    expect(cut('\u{1f642}\ud83d')).toEqual(['\u2581', '\u{1f642}', '<unk>']);
  });

  it('does not let a text spell a control mark', () => {
    expect(cut('<s>')).toEqual(['\u2581', '<unk>']);
  });

  it('stops at the limit', () => {
    expect(cut('c'.repeat(1000), 3)).toEqual(['\u2581', 'c', 'c']);
  });

  it('finds a path as good as any other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(text, (sample) => {
        const found = cut(sample);
        expect(found.join('')).toBe(`\u2581${sample}`);
        expect(total(found)).toBeCloseTo(bestTotal(`\u2581${sample}`), 9);
      }),
    );
  });
});

describe('the preparation of a text', () => {
  it('folds white space, width and case', () => {
    expect(prepareText('\n Ａ\u00a0 ﬁne\tDay ')).toBe('a fine day');
  });
});

function total(found: readonly string[]): number {
  return found.reduce((sum, piece) => sum + (scores[pieces.indexOf(piece)] ?? Number.NaN), 0);
}

/** The score of the best of all ways to cut the text. */
function bestTotal(text: string): number {
  if (text === '') return 0;
  const ways = pieces.filter((piece) => text.startsWith(piece));
  return Math.max(...ways.map((piece) => total([piece]) + bestTotal(text.slice(piece.length))));
}
