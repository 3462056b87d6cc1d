import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { passageTerms, queryTerms } from '../../src/language/tokens.js';

vi.setConfig({ testTimeout: 60_000 });

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        'refund',
        'the',
        'AB-',
        '12',
        '@',
        '.',
        ' ',
        '\ud800',
        '\u0301',
        'が',
        'ก',
        'ال',
        'é',
        "'",
        '’',
        '\u200b',
        'ー',
        '한',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);
const anyLanguage = fc.constantFrom('en', 'de', 'ja', 'th', 'ar', 'xx');

describe('terms of English', () => {
  it('are Porter stems, function words too', () => {
    expect(passageTerms('The refunds were refunded', 'en')).toEqual([
      'the',
      'refund',
      'were',
      'refund',
    ]);
  });

  it('leave function words out of a question, unless it has nothing else', () => {
    expect(queryTerms('How do I get the refunds?', 'en')).toEqual(['refund']);
    expect(queryTerms('Who are you?', 'en')).toEqual(['who', 'ar', 'you']);
    expect(queryTerms('', 'en')).toEqual([]);
    expect(queryTerms('?!', 'en')).toEqual([]);
  });

  it.each([
    ["I don't know", 'I don’t know'],
    ['cafe', 'Café'],
    ['refund', 'ＲＥＦＵＮＤ'],
    ['office', 'oﬃce'],
    ['zero width', 'ze\u200bro wi\u00addth'],
    ['£5 fee', '£５ fee'],
  ])('are the same for %s and %s', (one, other) => {
    expect(passageTerms(one, 'en')).toEqual(passageTerms(other, 'en'));
  });
});

describe('terms of languages that inflect', () => {
  it.each([
    ['de', 'Rückerstattung für Gepäck', ['ruckerstattung', '~rucke', 'fur', 'gepack', '~gepac']],
    ['de', 'Straße', ['strasse', '~stras']],
    ['pt', 'alterações não', ['alteracoes', '~alter', 'nao']],
    ['ru', 'Возврат ещё', ['возврат', '~возвр', 'еще']],
    ['el', 'Επιστροφή', ['επιστροφη', '~επιστ']],
    ['tr', 'IŞIK İade ısı', ['isik', 'iade', 'isi']],
  ])(
    'in %s are words without marks and the beginnings of long ones: %s',
    (language, text, terms) => {
      expect(passageTerms(text, language)).toEqual(terms);
    },
  );
});

describe('terms of scripts without spaces', () => {
  it.each([
    ['ja', '払い戻し', ['払', 'い', '戻', 'し', '払い', 'い戻', '戻し']],
    ['zh', '退款', ['退', '款', '退款']],
    ['ja', 'ﾊﾞｯｸﾞ', ['バ', 'ッ', 'グ', 'バッ', 'ッグ']],
    ['ko', '환불은 곧', ['환불', '불은', '곧']],
    ['th', 'คืนเงิน', ['คืน', 'ืนเ', 'นเง', 'เงิ', 'งิน']],
    ['ar', 'الأَمْتِعَة', ['الام', 'لامت', 'امتع', 'متعه']],
  ])('in %s: %s', (language, text, terms) => {
    expect(passageTerms(text, language)).toEqual(terms);
  });

  it('are the same in a text of another language', () => {
    expect(passageTerms('Platform 払い戻し', 'en')).toEqual([
      'platform',
      ...passageTerms('払い戻し', 'ja'),
    ]);
  });
});

describe('terms of codes, figures and addresses', () => {
  it.each([
    ['AB-1203', ['ab', '1203', 'ab1203']],
    ['AB1203', ['ab', '1203', 'ab1203']],
    ['ab 1203', ['ab', '1203']],
    ['CS/2025/17', ['cs', '2025', '17', 'cs202517']],
    ['$19.99', ['19', '99', '1999']],
    ['ＡＢ－１２０３', ['ab', '1203', 'ab1203']],
    ['help@harbour.example', ['help', 'harbour', 'exampl', 'help@harbour.example']],
    ['www.example.com', ['www', 'exampl', 'com']],
  ])('%s', (text, terms) => {
    expect(passageTerms(text, 'en')).toEqual(terms);
  });

  it.each(['AB-1203', 'AB1203', 'ab 1203', 'ab1203', 'AB–1203'])(
    'of %s meet those of every other spelling',
    (code) => {
      for (const other of ['AB-1203', 'AB1203', 'ab 1203']) {
        const known = new Set(passageTerms(`Form ${other} is needed.`, 'en'));
        expect(
          queryTerms(code, 'en').filter((term) => known.has(term)).length,
        ).toBeGreaterThanOrEqual(2);
      }
    },
  );
});

describe('terms of any text', () => {
  it('are never empty, never hold white space, and never fail', () => {
    fc.assert(
      fc.property(anyText, anyLanguage, (text, language) => {
        for (const term of passageTerms(text, language)) expect(term).toMatch(/^\S+$/);
      }),
      { numRuns: 500 },
    );
  });

  it('of a question are among those of the same text as a passage', () => {
    fc.assert(
      fc.property(anyText, anyLanguage, (text, language) => {
        const known = new Set(passageTerms(text, language));
        const asked = queryTerms(text, language);
        expect(asked.filter((term) => !known.has(term))).toEqual([]);
        expect(asked.length > 0).toBe(known.size > 0);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    'a',
    'y',
    'a-',
    'a@',
    '1',
    'a1',
    'é',
    'か',
    '한',
    'ก',
    'ا',
    '\u0301',
    '\u200b',
    '\ud800',
    "'",
    'eed',
    '-',
  ])('end for 100,000 times %j', (text) => {
    for (const language of ['en', 'de']) {
      expect(passageTerms(text.repeat(100_000), language).length).toBeLessThanOrEqual(300_000);
    }
  });
});
