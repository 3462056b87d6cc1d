import { readFile } from 'node:fs/promises';

import type { KnowledgeBase, Mode } from '@cuecard/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openBase } from '../src/bases.js';
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

/** All questions are asked at once here, on whatever machine. */
const patient = { deadlineMs: 30_000 } as const;

/** Bases over one index, whatever their mode. */
function openBases(mode: Mode): readonly KnowledgeBase[] {
  const names = ['refunds', 'luggage', 'fares', 'travel'] as const;
  return names.map((name) => openBase(name, { mode, encoder: 'local' }));
}

const bases = openBases('hybrid');
const keywordBases = openBases('keyword');

/** Questions without their answer among the three passages that are found. */
async function missedBy(asked: readonly KnowledgeBase[]): Promise<readonly string[]> {
  const rows = await questions();
  const answered = await Promise.all(
    rows.map(async ({ base: name, question, answer }) => {
      const outcome = await asked.find((base) => base.name === name)?.search(question, patient);
      expect(outcome?.degraded).toBeUndefined();
      return outcome?.results.some(({ text }) => plain(text).includes(plain(answer))) ?? false;
    }),
  );
  return rows.flatMap(({ question }, at) => (answered[at] ? [] : [question]));
}

describe('the sample knowledge', () => {
  beforeAll(async () => {
    await Promise.all(bases.map((base) => base.bake()));
    await Promise.all([...bases, ...keywordBases].map((base) => base.start()));
  }, 300_000);
  afterAll(async () => {
    await Promise.all([...bases, ...keywordBases].map((base) => base.close()));
  });

  it('is fifteen documents or more, of a length that companies have', () => {
    const counts = bases.map((base) => base.status());
    expect(counts.reduce((sum, { documents }) => sum + documents, 0)).toBeGreaterThanOrEqual(15);
    expect(counts.reduce((sum, { passages }) => sum + passages, 0)).toBeGreaterThan(300);
  });

  it('has each answer in a passage of the document that is said to hold it', async () => {
    for (const { base: name, document, answer } of await questions()) {
      const base = bases.find((candidate) => candidate.name === name);
      const outcome = await base?.search(answer, { topK: 20, ...patient });
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
    const missed = await missedBy(bases);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(8);
  });

  it('answers fewer of them by keywords alone, from the same index', async () => {
    const missed = await missedBy(keywordBases);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(13);
    expect(missed.length).toBeGreaterThan((await missedBy(bases)).length);
  });

  it('answers in hybrid mode what neither half answers alone', async () => {
    const question = 'i left my scarf on the plane, who has it if nobody collects it';
    const answeredBy = async (mode: Mode): Promise<boolean> => {
      const base = openBase('luggage', { mode, encoder: 'local' });
      await base.start();
      const { results } = await base.search(question, patient);
      await base.close();
      return results.some(({ text }) => plain(text).includes('lifeboat shop'));
    };
    expect(await answeredBy('keyword')).toBe(false);
    expect(await answeredBy('meaning')).toBe(false);
    expect(await answeredBy('hybrid')).toBe(true);
  });

  it('says the page of an answer that stands in a PDF', async () => {
    const luggage = bases.find((base) => base.name === 'luggage');
    const outcome = await luggage?.search('pet in the cabin PETC', { topK: 5, ...patient });
    const hit = outcome?.results.find(({ source }) => source === 'luggage-charges.pdf');
    expect(hit?.citation.position).toEqual({ kind: 'page', start: 2, end: 2 });
  });

  it.each(pdfs)('has a $target that is what its source gives', async ({ source, target }) => {
    const markdown = await readFile(new URL(source, root), 'utf8');
    const rendered = Buffer.from(await renderPdf(markdown));
    expect(rendered.equals(await readFile(new URL(target, root)))).toBe(true);
  });
});
