import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import type { Document } from '../../src/documents/source.js';
import type { Passage } from '../../src/passages/passage.js';
import { tokenCount } from '../../src/passages/tokens.js';
import { splitWhole } from '../support/split-whole.js';
import { anyDocument, anyOptions } from './documents.js';

vi.setConfig({ testTimeout: 60_000 });

const runs = { numRuns: 40 };
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const count = (text: string): number => [...characters.segment(text)].length;
const bare = (text: string): string => text.replaceAll(/\s+/g, '');
const fresh = (passages: readonly Passage[]): string =>
  passages.map(({ text, overlap }) => text.slice(overlap)).join('');

function everyPassage(
  check: (
    passage: Passage,
    options: { chunkSize: number; chunkOverlap: number },
    before: Passage | undefined,
  ) => void,
): void {
  fc.assert(
    fc.property(anyDocument, anyOptions, (document, options) => {
      const passages = splitWhole(document, 3, options);
      passages.forEach((passage, at) => check(passage, options, passages[at - 1]));
    }),
    runs,
  );
}

describe('passages of any document', () => {
  it('are no longer than chunkSize, except a single character that alone is longer', () => {
    everyPassage(({ text }, { chunkSize }) => {
      expect(tokenCount(text) <= chunkSize || count(text) === 1).toBe(true);
    });
  });

  it('say their length in tokens', () => {
    everyPassage(({ text, tokens }) => expect(tokens).toBe(tokenCount(text)));
  });

  it('begin with what the passage before ends with, exactly as long as they say', () => {
    everyPassage(({ text, overlap, heading }, _, before) => {
      if (overlap === 0) return;
      expect(before?.heading).toEqual(heading);
      expect(before?.text.endsWith(text.slice(0, overlap))).toBe(true);
      expect(overlap).toBeLessThan(before?.text.length ?? 0);
      expect(overlap).toBeLessThan(text.length);
    });
  });

  it('repeat no more than chunkOverlap', () => {
    everyPassage(({ text, overlap }, { chunkOverlap }) => {
      expect(tokenCount(text.slice(0, overlap))).toBeLessThanOrEqual(chunkOverlap);
    });
  });

  it('have text, without white space around it, and never half a character', () => {
    everyPassage(({ text }) => {
      expect(text.trim()).not.toBe('');
      expect(text.trimEnd()).toBe(text);
      expect(text).not.toMatch(/^[\p{M}\u200d]|\p{Cs}/u);
    });
  });

  it('together hold every character of the document in order, and nothing else', () => {
    fc.assert(
      fc.property(anyDocument, anyOptions, (document, options) => {
        // Without headings, so that none is said before a small section.
        const blocks = document.blocks.map((block) => ({ ...block, heading: [] }));
        const all = blocks.flatMap(({ parts }) => parts.map(({ text }) => text));
        const passages = splitWhole({ ...document, blocks }, 0, options);
        expect(bare(fresh(passages))).toBe(bare(all.join('')));
      }),
      runs,
    );
  });

  it('keep words apart that were apart', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}[.,?]?$/), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(words, anyOptions, (list, options) => {
        const source: Document = {
          blocks: [{ kind: 'prose', heading: [], parts: [{ text: list.join(' ') }] }],
          warnings: [],
        };
        // Words are whole where a passage has room for the longest of them.
        const roomy = { ...options, chunkSize: Math.max(options.chunkSize, 10) };
        const split = splitWhole(source, 0, roomy).flatMap(({ text, overlap }) =>
          text.slice(overlap).trim().split(/\s+/),
        );
        expect(split).toEqual(list);
      }),
      runs,
    );
  });

  it('stay below the headings of their blocks, and know their document', () => {
    fc.assert(
      fc.property(anyDocument, anyOptions, (document, options) => {
        const paths = new Set(document.blocks.map(({ heading }) => heading.join('/')));
        for (const { heading, document: number } of splitWhole(document, 3, options)) {
          expect(paths).toContain(heading.join('/'));
          expect(number).toBe(3);
        }
      }),
      runs,
    );
  });

  it('are the same each time', () => {
    fc.assert(
      fc.property(anyDocument, anyOptions, (document, options) => {
        expect(splitWhole(document, 0, options)).toEqual(splitWhole(document, 0, options));
      }),
      runs,
    );
  });
});
