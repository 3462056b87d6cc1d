import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { KeywordHit } from '../../src/index/best-hits.js';
import type { VectorHit } from '../../src/index/vector-search.js';
import { fuse, type Fusion, type Halves } from '../../src/lookup/fuse.js';

const rules: readonly Fusion[] = ['weighted', 'interleave', 'rrf'];

/** Hits by keyword and by meaning, best first; `similar` are similarities that only a look at the rows tells. */
function halves(
  keywords: readonly (readonly [passage: number, score: number])[],
  meanings: readonly (readonly [passage: number, similarity: number])[],
  similar: Readonly<Record<number, number>> = {},
): Halves {
  return {
    keywords: keywords.map(([passage, score]): KeywordHit => ({ passage, score })),
    meanings: meanings.map(([passage, similarity]): VectorHit => ({ passage, similarity })),
    ideal: 10,
    weight: 0.5,
    similarity: (passage) => similar[passage] ?? 0,
  };
}

function order(rule: Fusion, given: Halves): number[] {
  return fuse(rule, given).map(({ passage }) => passage);
}

describe('interleave', () => {
  it('takes from meaning first, then from keywords, by turns', () => {
    const given = halves(
      [
        [1, 9],
        [2, 8],
        [3, 7],
      ],
      [
        [11, 0.9],
        [12, 0.8],
        [13, 0.7],
      ],
    );
    expect(order('interleave', given)).toEqual([11, 1, 12, 2, 13, 3]);
  });

  it('gives a passage that both found its better place', () => {
    const given = halves(
      [
        [5, 9],
        [2, 8],
      ],
      [
        [11, 0.9],
        [2, 0.8],
        [5, 0.7],
      ],
    );
    expect(order('interleave', given)).toEqual([11, 5, 2]);
  });

  it('goes on with one half when the other has no more', () => {
    const given = halves(
      [[1, 9]],
      [
        [11, 0.9],
        [12, 0.8],
        [13, 0.7],
      ],
    );
    expect(order('interleave', given)).toEqual([11, 1, 12, 13]);
  });
});

describe('rrf', () => {
  it('adds 1 / (1 + rank) of both halves', () => {
    // 3: 1/4 + 1/3, 1: 1/2, 2: 1/3 + 1/4, 4: 1/2.
    const given = halves(
      [
        [1, 9],
        [2, 8],
        [3, 7],
      ],
      [
        [4, 0.9],
        [3, 0.8],
        [2, 0.7],
      ],
    );
    expect(order('rrf', given)).toEqual([2, 3, 1, 4]);
  });

  it('puts a passage that both found second above one that one half found first', () => {
    const given = halves(
      [
        [1, 9],
        [3, 8],
      ],
      [
        [2, 0.9],
        [3, 0.8],
      ],
    );
    expect(order('rrf', given)).toEqual([3, 1, 2]);
  });
});

describe('weighted', () => {
  it('adds the cosine and the share of the ideal score, by the weight', () => {
    const given = halves(
      [
        [1, 8],
        [2, 2],
      ],
      [
        [2, 0.7],
        [3, 0.6],
      ],
      { 1: 0.1 },
    );
    // 1: 0.05 + 0.4, 2: 0.35 + 0.1, 3: 0.3.
    expect(order('weighted', given)).toEqual([1, 2, 3]);
    expect(order('weighted', { ...given, weight: 1 })).toEqual([2, 3, 1]);
    expect(order('weighted', { ...given, weight: 0 })).toEqual([1, 2, 3]);
  });

  it('counts the best keyword hit as a quarter of a full match at least, the others in proportion', () => {
    const given = halves(
      [
        [1, 1],
        [2, 0.4],
      ],
      [
        [3, 0.15],
        [4, 0.05],
      ],
    );
    // 1: 0.125 instead of 0.05, 2: 0.05 instead of 0.02, 3: 0.075, 4: 0.025.
    expect(order('weighted', given)).toEqual([1, 3, 2, 4]);
    expect(order('weighted', { ...given, ideal: 2 })).toEqual([1, 2, 3, 4]);
    expect(order('weighted', { ...given, ideal: 1_000 })).toEqual([1, 3, 2, 4]);
  });

  it('reads the true similarity of a passage that only the keywords found', () => {
    const given = halves(
      [
        [1, 5],
        [2, 5],
      ],
      [],
      { 1: 0.1, 2: 0.3 },
    );
    expect(order('weighted', given)).toEqual([2, 1]);
  });

  it('goes by meaning alone when no word of the question is known', () => {
    const given = {
      ...halves(
        [],
        [
          [4, 0.2],
          [3, 0.1],
        ],
      ),
      ideal: 0,
    };
    expect(order('weighted', given)).toEqual([4, 3]);
  });
});

describe.each(rules)('%s', (rule) => {
  it('gives equal places to the lower passage', () => {
    const given = halves(
      [
        [8, 4],
        [2, 4],
      ],
      [
        [2, 0.4],
        [8, 0.4],
      ],
    );
    expect(order(rule, given)).toEqual([2, 8]);
    expect(order(rule, { ...given, keywords: given.keywords.toReversed() })).toEqual([2, 8]);
  });

  it('keeps the scores of the halves that found a passage, and makes none up', () => {
    const found = fuse(
      rule,
      halves(
        [
          [1, 5],
          [2, 4],
        ],
        [
          [2, 0.5],
          [3, 0.4],
        ],
        { 1: 0.2 },
      ),
    );
    expect(found.toSorted((a, b) => a.passage - b.passage)).toEqual([
      { passage: 1, keywordScore: 5 },
      { passage: 2, keywordScore: 4, similarity: 0.5 },
      { passage: 3, similarity: 0.4 },
    ]);
  });

  it('returns what either half found, once', () => {
    const half = fc.uniqueArray(fc.nat(30), { maxLength: 20 });
    fc.assert(
      fc.property(half, half, (keywords, meanings) => {
        const given = halves(
          keywords.map((passage, at) => [passage, 9 - at / 4]),
          meanings.map((passage, at) => [passage, 1 - at / 40]),
        );
        const all = [...new Set([...keywords, ...meanings])].toSorted((a, b) => a - b);
        expect(order(rule, given).toSorted((a, b) => a - b)).toEqual(all);
      }),
    );
  });

  it('is the ranking of one half when the other is empty', () => {
    expect(
      order(
        rule,
        halves(
          [
            [7, 3],
            [1, 2],
          ],
          [],
        ),
      ),
    ).toEqual([7, 1]);
    expect(
      order(
        rule,
        halves(
          [],
          [
            [7, 0.3],
            [1, 0.2],
          ],
        ),
      ),
    ).toEqual([7, 1]);
  });
});
