import { folder } from '@cuecard/core';

import { pick, seededRandom } from '../random.js';
import { vocabulary } from './vocabulary.js';

const seed = 7;
const passageWords = 65;
/** Share of a sentence's longer words that give way to made-up ones, so that the vocabulary grows with the corpus. */
const replaced = 0.7;
const longWord = 4;
const word = /\p{L}+/gu;
const wordOrNumber = /[\p{L}\p{N}]+/gu;
const questionSeed = 11;
const questionsFrom = 1_000;
const openings = [
  'how do I',
  'what is the',
  'can I have the',
  'where is the',
  'do you have a',
  'when will the',
  'is there a',
  'tell me about the',
];
const links = [
  'for the',
  'with a',
  'and the',
  'of my',
  'on the',
  'if I have the',
  'when there is a',
  'to the',
];

/** Passages of about 65 words: sentences of the documents, recombined, many of their words replaced. */
export async function makePassages(documents: URL, count: number): Promise<string[]> {
  const sentences = await readSentences(documents);
  const random = seededRandom(seed);
  const drawWord = vocabulary(random);
  return Array.from({ length: count }, () => {
    const said: string[] = [];
    for (let length = 0; length < passageWords;) {
      const sentence = pick(sentences, random).replace(word, (original) =>
        original.length >= longWord && random() < replaced ? drawWord() : original,
      );
      said.push(sentence);
      length += sentence.match(wordOrNumber)?.length ?? 1;
    }
    return said.join(' ');
  });
}

/** Questions of two to four words of one of the first passages, held together by function words. */
export function makeQuestions(passages: readonly string[], count: number): string[] {
  const random = seededRandom(questionSeed);
  const sources = passages.slice(0, questionsFrom);
  return Array.from({ length: count }, () => {
    const words = (pick(sources, random).match(word) ?? []).filter(
      ({ length }) => length >= longWord,
    );
    const asked = new Set(
      Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(words, random).toLowerCase()),
    );
    const [first = '', ...others] = asked;
    return `${pick(openings, random)} ${[first, ...others.map((other) => `${pick(links, random)} ${other}`)].join(' ')}`;
  });
}

async function readSentences(documents: URL): Promise<string[]> {
  const texts: string[] = [];
  for await (const entry of folder(documents).entries({ ignored: () => undefined })) {
    if (/^(README|node_modules)/.test(entry.name)) continue;
    const { blocks } = await entry.read();
    const prose = blocks.filter(({ kind }) => kind === 'prose' || kind === 'list');
    texts.push(...prose.flatMap(({ parts }) => parts.map(({ text }) => text)));
  }
  return texts
    .flatMap((text) => text.split(/(?<=[.!?])\s+/))
    .filter((sentence) => sentence.length > 20);
}
