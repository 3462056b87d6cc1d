import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { FoundPassage } from '../../src/lookup/found-passage.js';
import { trim } from '../../src/lookup/trim.js';
import { tempFolder } from '../support/temp-folder.js';
import { vectorBase } from './vector-base.js';

/** A passage as a search finds it; `overlap` characters at its beginning end the passage before. */
function found(id: number, text: string, overlap = 0, similarity?: number): FoundPassage {
  const tokens = text.split(' ').length;
  const record = {
    id,
    kind: 'prose',
    document: 0,
    heading: 0,
    position: undefined,
    tokens,
    overlap,
  } as const;
  return { record, text, similarity };
}

function texts(passages: readonly FoundPassage[], topK = 3): string[] {
  return trim(passages, topK).map(({ text }) => text);
}

describe('overlapping neighbours', () => {
  const first = found(4, 'Bring your key. Ring the bell.', 0, 0.5);
  const second = found(5, 'Ring the bell. Wait for the porter.', 14, 0.9);
  const third = found(6, 'Wait for the porter. Then come in.', 20, 0.4);

  it('take one place, in the order of the document, with what they share said once', () => {
    const whole = 'Bring your key. Ring the bell. Wait for the porter.';
    expect(texts([first, second])).toEqual([whole]);
    expect(texts([second, first])).toEqual([whole]);
  });

  it('keep the place and the scores of the better one', () => {
    const other = found(20, 'Dogs are welcome.', 0, 0.7);
    const [joined] = trim([second, other, first], 3);
    expect(joined).toMatchObject({ record: { id: 5 }, neighbour: { id: 4 }, similarity: 0.9 });
    expect(texts([second, other, first])).toHaveLength(2);
  });

  it('are joined two at a time', () => {
    expect(texts([first, second, third])).toEqual([
      'Bring your key. Ring the bell. Wait for the porter.',
      third.text,
    ]);
  });

  it('stay apart when they share nothing, or are not neighbours', () => {
    const apart = [found(4, first.text), found(5, 'Wait for the porter.')];
    expect(texts(apart)).toEqual(apart.map(({ text }) => text));
    const far = [first, found(7, second.text, 14)];
    expect(texts(far)).toEqual(far.map(({ text }) => text));
  });
});

describe('near-duplicates', () => {
  const fee =
    'Guests of the gold club may bring one dog or one cat into the family room without paying the usual cleaning fee';

  it('take one place', () => {
    expect(texts([found(1, fee), found(9, fee)])).toEqual([fee]);
    expect(texts([found(1, fee), found(9, `${fee.toUpperCase()}!`)])).toEqual([fee]);
    expect(texts([found(1, fee), found(9, fee.replace('usual', 'full'))])).toEqual([fee]);
  });

  it('are other facts when their numbers differ', () => {
    const [ten, twelve] = [`${fee} of 10 euros`, `${fee} of 12 euros`];
    expect(texts([found(1, ten), found(9, twelve)])).toEqual([ten, twelve]);
    expect(texts([found(1, fee), found(9, `${fee} B2`)])).toEqual([fee, `${fee} B2`]);
  });

  it('are not made of texts that differ in more than one word in ten', () => {
    const cats = fee.replace('gold club', 'silver club').replace('cleaning', 'parking');
    expect(texts([found(1, fee), found(9, cats)])).toEqual([fee, cats]);
    const more = `${fee}, but not in the restaurant, the sauna, or any of the other rooms`;
    expect(texts([found(1, fee), found(9, more)])).toEqual([fee, more]);
  });

  it('let the next passages move up', () => {
    const passages = [found(1, fee), found(3, fee), found(5, 'One.'), found(7, 'Two.')];
    expect(texts(passages, 3)).toEqual([fee, 'One.', 'Two.']);
    expect(texts(passages, 2)).toEqual([fee, 'One.']);
  });
});

describe('a lookup in a text that was cut', () => {
  let indexDir: string;

  beforeAll(async () => {
    indexDir = await tempFolder();
    const documents = await tempFolder();
    const sentences = Array.from(
      { length: 8 },
      (_, at) => `In week ${at} the porter polishes lamp ${at} of corridor ${at}.`,
    );
    await writeFile(join(documents, 'lamps.txt'), sentences.join(' '));
    const settings = { chunkSize: 40, chunkOverlap: 20, language: 'en' };
    await vectorBase({ documents, indexDir, ...settings }).bake();
  });

  it('says what neighbours share once, and cites both as they stand in the document', async () => {
    const settings = { chunkSize: 40, chunkOverlap: 20, language: 'en' };
    const started = vectorBase({ indexDir, ...settings });
    await started.start();
    const { results } = await started.search('lamp 2 of corridor 2, lamp 3 of corridor 3');
    await started.close();
    const [best] = results;
    const said = best?.text.match(/In week \d/g) ?? [];
    expect(said).toHaveLength(3);
    expect(new Set(said).size).toBe(said.length);
    expect(said).toEqual(said.toSorted());
    const cited = best?.citation.raw.match(/In week \d/g) ?? [];
    expect(new Set(cited)).toEqual(new Set(said));
    expect(best?.citation.raw.split('\n')).toHaveLength(2);
    expect(cited.length).toBeGreaterThan(said.length);
  });
});
