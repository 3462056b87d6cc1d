import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { queryTerms } from '../../src/language/tokens.js';
import { queryWords } from '../../src/lookup/query-words.js';

describe('the words of a query', () => {
  it.each([
    ['How long do refunds take?', 'how long do refunds take'],
    ['  how   long\ndo refunds\u00a0take ', 'how long do refunds take'],
    ['“How long”, (do) refunds take…', 'how long do refunds take'],
    ['ｆｕｌｌ ＷＩＤＴＨ！', 'full width'],
    ['返金はいつですか？', '返金はいつですか'],
    ['¿Cuánto tarda?', 'cuánto tarda'],
    ['? , "" ...', ''],
  ])('of %j are %j', (query, words) => {
    expect(queryWords(query)).toBe(words);
  });

  it.each(['mv-82', "caller's", 'ab.12/3', '@front_desk', '-5', '.5', '$5', '5%', 'c++', 'c#'])(
    'keep %j as it is',
    (word) => {
      expect(queryWords(`What of ${word.toUpperCase()}?`)).toBe(`what of ${word}`);
    },
  );

  it('are the same for the same words, and then keywords find the same', () => {
    const sign = fc.constantFrom('?', '!', '.', ',', '"', '”', '…', ')', '。', '');
    const gap = fc.constantFrom(' ', '  ', '\n', '\u00a0', '\u3000');
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      fc.constantFrom(
        'MV-82',
        'refund',
        'Größe',
        '朝食',
        'foo\ufeffbar',
        'don’t',
        'x\u00ad',
        '\u0301a',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(word, sign, gap), { maxLength: 6 }), (pieces) => {
        const plain = pieces.map(([text]) => text).join(' ');
        const written = pieces.map(([text, after, space]) => text + after + space).join('');
        fc.pre(queryWords(plain) === queryWords(written));
        for (const language of ['en', 'de'])
          expect(queryTerms(written, language)).toEqual(queryTerms(plain, language));
      }),
      { numRuns: 2_000 },
    );
  });

  it('stay the same when taken again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (query) => {
        const words = queryWords(query);
        expect(queryTerms(words, 'en')).toEqual(queryTerms(query, 'en'));
      }),
      { numRuns: 2_000 },
    );
  });
});
