import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { KeywordHit } from '../../src/index/best-hits.js';
import { decodeKeywords, encodeKeywords } from '../../src/index/keyword-index.js';
import { KeywordSearch } from '../../src/index/keyword-search.js';
import { writeKeywords } from '../../src/index/keyword-writer.js';
import { passageTerms, queryTerms } from '../../src/language/tokens.js';
import { countTerms, exhaustiveBm25 } from './exhaustive-bm25.js';

const words = [
  'refund',
  'refunds',
  'the',
  'and',
  'a',
  'MV-82',
  'ab 1203',
  '3.50',
  'constructor',
  '__proto__',
  'toString',
  'x',
  'Straße',
  'Überraschungen',
  'Überraschung',
  'naïve',
  'возврат',
  'возврата',
  'επιστροφή',
  '朝食',
  '朝食は七時',
  '환불은',
  'การคืนเงิน',
  'الأمتعة',
  'the.end@hotel.example',
  '👍',
  '…',
];
const word = fc.constantFrom(...words);
const manyTimes = fc
  .tuple(word, fc.integer({ min: 1, max: 400 }))
  .map(([text, times]) => Array.from({ length: times }, () => text).join(' '));
const sentence = fc.array(word, { minLength: 1, maxLength: 30 }).map((list) => list.join(' '));
const text = fc.oneof(
  { weight: 6, arbitrary: sentence },
  { weight: 2, arbitrary: manyTimes },
  { weight: 2, arbitrary: word },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);
const corpus = fc.oneof(
  fc.array(text, { minLength: 1, maxLength: 40 }),
  fc.array(
    fc.tuple(sentence, text).map(([one, two]) => `${one} ${two}`),
    { minLength: 1, maxLength: 12 },
  ),
);
const query = fc.oneof(
  { weight: 5, arbitrary: fc.array(word, { maxLength: 12 }).map((list) => list.join(' ')) },
  { weight: 1, arbitrary: text.map((long) => long.slice(0, 400)) },
);
const language = fc.constantFrom('en', 'de', 'ja', 'ru', 'ar', 'th');
const limit = fc.constantFrom(1, 3, 20, 100);

const runs = { numRuns: 300 };
const noProgress = (): void => undefined;

async function pack(texts: readonly string[], of: string) {
  const { bytes, counts } = await writeKeywords(texts, of, noProgress);
  return { index: decodeKeywords(bytes), counts };
}

/**
 * Scores agree within 1e-4, or a millionth where a term is asked hundreds of times. Differences that
 * cannot be told from rounding are ties; equal scores come in passage order.
 */
function expectSameRanking(
  hits: readonly KeywordHit[],
  all: readonly KeywordHit[],
  most: number,
): void {
  const exact = new Map(all.map(({ passage, score }) => [passage, score]));
  expect(hits).toHaveLength(Math.min(most, all.length));
  for (const [at, { passage, score }] of hits.entries()) {
    const own = exact.get(passage) ?? Number.NaN;
    expect(Math.abs(score - own)).toBeLessThan(1e-4 * Math.max(1, own / 100));
    expect(Math.abs(own - (all[at]?.score ?? Number.NaN))).toBeLessThan(1e-9);
    const before = hits[at - 1];
    const outOfOrder = before !== undefined && before.score === score && before.passage > passage;
    expect(outOfOrder).toBe(false);
  }
}

describe('keyword search over packed postings', () => {
  it('ranks like BM25 computed for every passage', async () => {
    await fc.assert(
      fc.asyncProperty(
        corpus,
        fc.array(query, { minLength: 1, maxLength: 5 }),
        language,
        limit,
        async (texts, queries, of, most) => {
          const search = new KeywordSearch((await pack(texts, of)).index);
          const passages = texts.map((each) => passageTerms(each, of));
          for (const asked of queries) {
            const terms = queryTerms(asked, of);
            const hits = search.search(terms, most);
            expect(hits.every(({ score }) => score > 0)).toBe(true);
            expectSameRanking(hits, exhaustiveBm25(passages, terms), most);
          }
        },
      ),
      runs,
    );
  }, 60_000);

  it('answers a query the same after any others', async () => {
    await fc.assert(
      fc.asyncProperty(corpus, query, query, async (texts, first, second) => {
        const { index } = await pack(texts, 'en');
        const used = new KeywordSearch(index);
        used.search(queryTerms(first, 'en'), 1);
        expect(used.search(queryTerms(second, 'en'), 5)).toEqual(
          new KeywordSearch(index).search(queryTerms(second, 'en'), 5),
        );
      }),
      { numRuns: 100 },
    );
  }, 30_000);

  it('counts a query term as often as it is asked', async () => {
    const { index } = await pack(['refund', 'luggage luggage', 'nothing else'], 'en');
    const search = new KeywordSearch(index);
    const once = search.search(['refund'], 3)[0]?.score ?? 0;
    expect(search.search(['refund', 'refund', 'refund'], 3)[0]?.score).toBeCloseTo(3 * once, 10);
  });

  it('gives equal passages in their order, and the first ones where there are too many', async () => {
    const same = 'a refund of the luggage fee';
    const { index } = await pack([same, 'refund', same, 'keys', same, same], 'en');
    const passages = (most: number): number[] =>
      new KeywordSearch(index).search(['luggag'], most).map(({ passage }) => passage);
    expect(passages(20)).toEqual([0, 2, 4, 5]);
    expect(passages(2)).toEqual([0, 2]);
  });

  it('finds nothing for no terms, for unknown ones and in passages without terms', async () => {
    const { index } = await pack(['', '…', ''], 'en');
    expect(new KeywordSearch(index).search([], 3)).toEqual([]);
    expect(new KeywordSearch(index).search(['refund'], 3)).toEqual([]);
  });
});

describe('packed postings', () => {
  it('hold every term of every passage as often as it occurs, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(corpus, language, async (texts, of) => {
        const { index, counts } = await pack(texts, of);
        const counted = texts.map((each) => countTerms(passageTerms(each, of)));
        const terms = new Set(counted.flatMap((count) => [...count.keys()]));
        for (const term of terms) {
          const number = index.find(term);
          const [from, to] = [index.starts[number], index.starts[number + 1]];
          const packed = [...index.ids.subarray(from, to)].map((id, at) => [
            id,
            index.frequencies[(from ?? 0) + at],
          ]);
          expect(packed).toEqual(
            counted.flatMap((count, id) => (count.has(term) ? [[id, count.get(term)]] : [])),
          );
        }
        const postings = counted.reduce((sum, count) => sum + count.size, 0);
        expect(counts).toEqual({ terms: terms.size, postings });
        expect([index.terms, index.ids.length, index.passages]).toEqual([
          terms.size,
          postings,
          texts.length,
        ]);
      }),
      runs,
    );
  }, 60_000);

  it('keep wide passage numbers and frequencies', async () => {
    const lengths = new Uint32Array(70_000).fill(300);
    const index = decodeKeywords(
      await encodeKeywords(
        [
          { term: 'a', passages: [0, 69_999], frequencies: [1, 300] },
          { term: 'é', passages: [65_536], frequencies: [255] },
        ],
        lengths,
      ),
    );
    expect([...index.ids]).toEqual([0, 69_999, 65_536]);
    expect([...index.frequencies]).toEqual([1, 300, 255]);
    expect(['a', 'é', 'e', ''].map((term) => index.find(term))).toEqual([0, 1, -1, -1]);
  });

  it('are read the same from bytes that begin anywhere in memory', async () => {
    const { bytes } = await writeKeywords(['refund of a suitcase', 'suitcase'], 'en', noProgress);
    for (let shift = 0; shift < 8; shift++) {
      const moved = Buffer.concat([Buffer.alloc(shift), bytes]).subarray(shift);
      expect(
        new KeywordSearch(decodeKeywords(moved))
          .search(['suitcas'], 2)
          .map(({ passage }) => passage),
      ).toEqual([1, 0]);
    }
  });
});
