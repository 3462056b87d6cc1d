import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bases } from '../src/bases.js';
import { pdfs, renderPdf } from '../src/pdf/generate.js';

interface Question {
  readonly base: string;
  readonly question: string;
  readonly document: string;
  readonly answer: string;
}

const root = new URL('../', import.meta.url);

function isQuestion(value: unknown): value is Question {
  const fields = ['base', 'question', 'document', 'answer'];
  return (
    typeof value === 'object' &&
    value !== null &&
    fields.every((field) => typeof Reflect.get(value, field) === 'string')
  );
}

async function questions(): Promise<readonly Question[]> {
  const rows: unknown = JSON.parse(await readFile(new URL('questions.json', root), 'utf8'));
  if (!Array.isArray(rows) || !rows.every(isQuestion))
    throw new TypeError('questions.json is not a list of questions');
  return rows;
}

function plain(text: string): string {
  return text.replace(/[*_|\s]+/g, ' ');
}

describe('the sample knowledge', () => {
  beforeAll(async () => {
    await Promise.all(bases.map((base) => base.bake().then(() => base.start())));
  });
  afterAll(async () => {
    await Promise.all(bases.map((base) => base.close()));
  });

  it('is fifteen documents or more, of a length that companies have', () => {
    const counts = bases.map((base) => base.status());
    expect(counts.reduce((sum, { documents }) => sum + documents, 0)).toBeGreaterThanOrEqual(15);
    expect(counts.reduce((sum, { passages }) => sum + passages, 0)).toBeGreaterThan(300);
  });

  it('has each answer in a passage of the document that is said to hold it', async () => {
    for (const { base: name, document, answer } of await questions()) {
      const base = bases.find((candidate) => candidate.name === name);
      const outcome = await base?.search(answer, { topK: 20 });
      const texts =
        outcome?.results
          .filter(({ source }) => source === document)
          .map(({ text }) => plain(text)) ?? [];
      expect(
        texts.some((text) => text.includes(plain(answer))),
        `${document}: ${answer}`,
      ).toBe(true);
    }
  });

  it('answers most of a caller’s questions within three passages', async () => {
    const rows = await questions();
    const answered = await Promise.all(
      rows.map(async ({ base: name, question, answer }) => {
        const outcome = await bases.find((candidate) => candidate.name === name)?.search(question);
        return outcome?.results.some(({ text }) => plain(text).includes(plain(answer))) ?? false;
      }),
    );
    const missed = rows.filter((_, at) => !answered[at]);
    expect(missed.length, missed.map(({ question }) => question).join('\n')).toBeLessThanOrEqual(
      12,
    );
  });

  it('says the page of an answer that stands in a PDF', async () => {
    const luggage = bases.find((base) => base.name === 'luggage');
    const outcome = await luggage?.search('pet in the cabin PETC', { topK: 5 });
    const hit = outcome?.results.find(({ source }) => source === 'luggage-charges.pdf');
    expect(hit?.citation.position).toEqual({ kind: 'page', start: 2, end: 2 });
  });

  it.each(pdfs)('has a $target that is what its source gives', async ({ source, target }) => {
    const markdown = await readFile(new URL(source, root), 'utf8');
    const rendered = Buffer.from(await renderPdf(markdown));
    expect(rendered.equals(await readFile(new URL(target, root)))).toBe(true);
  });
});
