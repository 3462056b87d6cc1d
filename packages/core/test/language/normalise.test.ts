import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { normalise } from '../../src/language/normalise.js';

vi.setConfig({ testTimeout: 60_000 });

describe('normalise', () => {
  it.each([
    ['Crème Brûlée', 'creme brulee'],
    ['Straße, Øre, Łódź', 'strasse, ore, lodz'],
    ['İstanbul ISPARTA ısı', 'istanbul isparta isi'],
    ['Ёлка, Άλφα', 'елка, αλφα'],
    ['ＡＢ１２', 'ab12'],
    ['ﬁne ½', 'fine 1⁄2'],
    ['مُحَمَّد', 'محمد'],
    ['أحمد إلى مدرسة', 'احمد الي مدرسه'],
    ['مـــرحبا', 'مرحبا'],
    ['ze\u200bro\u00ad', 'zero'],
    ['がぎ', 'がぎ'],
    ['か\u3099', 'が'],
    ['ไม่', 'ไม่'],
    ['हिंदी', 'हिंदी'],
  ])('turns %s into %s', (text, compared) => {
    expect(normalise(text)).toBe(compared);
  });

  it('does nothing more the second time, for every single character', () => {
    const changed: string[] = [];
    for (let point = 0; point <= 0x1_0ffff; point++) {
      const once = normalise(String.fromCodePoint(point));
      if (normalise(once) !== once) changed.push(point.toString(16));
    }
    expect(changed).toEqual([]);
  });

  it('does nothing more the second time, for any text', () => {
    const mean = fc.constantFrom(
      'e',
      'ß',
      'Σ',
      'İ',
      'ﬁ',
      'ا',
      'و',
      'か',
      '\u0301',
      '\u0308',
      '\u0345',
      '\u3099',
      '\u064b',
      '\u0653',
      '\u0654',
      '\u0640',
      '\u200b',
      '\u200d',
      '\u00ad',
      '\ud800',
      '\u1100',
      '\u1161',
    );
    const text = fc.oneof(
      fc.array(mean, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(text, (any) => {
        expect(normalise(normalise(any))).toBe(normalise(any));
      }),
      { numRuns: 3000 },
    );
  });
});
