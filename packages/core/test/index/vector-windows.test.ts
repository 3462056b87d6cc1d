import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { BakeReport } from '../../src/bake-index.js';
import { embedPassages } from '../../src/embedding/embed-passages.js';
import type { Logger } from '../../src/logger.js';
import { windows } from '../../src/passages/windows.js';
import { HashEmbedder, type HashEmbedderOptions, unit } from '../support/hash-embedder.js';
import { tempFolder } from '../support/temp-folder.js';
import { silent } from './baked-index.js';
import { vectorBase } from './vector-base.js';

const long =
  'The night porter keeps the lost umbrellas, hats and gloves for ninety days, and after that they are given away.';

async function bakeText(
  text: string,
  options: HashEmbedderOptions,
): Promise<{ report: BakeReport; warned: string[] }> {
  const documents = await tempFolder();
  await writeFile(join(documents, 'porter.txt'), text);
  const warned: string[] = [];
  const logger: Logger = { ...silent, warn: (line) => void warned.push(line) };
  const indexDir = await tempFolder();
  const embed = () => new HashEmbedder(options);
  const report = await vectorBase({ documents, indexDir, language: 'en', embed, logger }).bake();
  return { report, warned };
}

describe('a passage that is longer than the embedder takes', () => {
  it('is embedded as the mean of its windows', async () => {
    const embedder = new HashEmbedder({ maxTokens: 6 });
    const pieces = windows(long, embedder);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.every((piece) => embedder.countTokens(piece) <= 6)).toBe(true);
    expect(pieces.join(' ').split(/\s+/)).toEqual(long.split(/\s+/));
    const { vectors, windowed } = await embedPassages(embedder, ['Umbrella', long, 'Hat'], {
      onProgress: silent.debug,
    });
    const sum = new Float32Array(64);
    for (const piece of pieces)
      embedder.vector(piece).forEach((value, at) => (sum[at] = (sum[at] ?? 0) + value));
    const expected = [embedder.vector('Umbrella'), unit(sum), embedder.vector('Hat')];
    expect(windowed).toBe(1);
    expect(vectors).toHaveLength(3);
    vectors.forEach((vector, at) =>
      vector.forEach((value, place) => expect(value).toBeCloseTo(expected[at]?.[place] ?? 9, 5)),
    );
  });

  it('is told of once, however many there are', async () => {
    const text = Array.from({ length: 6 }, (_, at) => `${long} Floor ${at}.`).join('\n\n');
    const { report, warned } = await bakeText(text, { maxTokens: 6 });
    expect(report.counts.passages).toBeGreaterThan(3);
    expect(report.warnings).toEqual([expect.stringContaining("longer than embedder 'hash' takes")]);
    expect(warned).toHaveLength(1);
    expect(warned.join()).not.toContain('umbrella');
  });

  it('is not told of when there is none', async () => {
    expect((await bakeText(long, {})).report.warnings).toEqual([]);
  });
});

describe('a language that the embedder does not list', () => {
  it('is told of once', async () => {
    const { report, warned } = await bakeText(long, { languages: ['de', 'fr'] });
    expect(report.warnings).toEqual([
      "embedder 'hash' does not know the language of the documents (en)",
    ]);
    expect(warned).toHaveLength(1);
  });
});

const countTokens = (piece: string): number => Array.from(piece).length;

describe('windows', () => {
  it.each([
    ['', 3],
    ['word', 1],
    ['a b c d e f g', 1],
    ['🧳🧳 🧳🧳 🧳', 1],
    ['x'.repeat(300), 3],
  ])('of %j end and lose nothing but spaces', (text, maxTokens) => {
    const pieces = windows(text, { maxTokens, countTokens });
    expect(pieces.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    for (const piece of pieces) expect(countTokens(piece)).toBeLessThanOrEqual(maxTokens);
  });
});
