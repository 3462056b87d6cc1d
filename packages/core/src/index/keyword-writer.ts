import { passageTerms } from '../language/tokens.js';
import { encodeKeywords, type TermPostings } from './keyword-index.js';

/** FlexSearch keeps a posting in a slot per score; with the score a term's frequency, the slot is that frequency. */
const mostFrequencies = 65_536;

export interface KeywordCounts {
  readonly terms: number;
  readonly postings: number;
}

/** Builds the inverted index of the texts with FlexSearch and packs its postings. */
export async function writeKeywords(
  texts: readonly string[],
  language: string,
  onProgress: (done: number) => void,
): Promise<{ bytes: Buffer; counts: KeywordCounts }> {
  const { Index } = await import('flexsearch');
  const lengths = new Uint32Array(texts.length);
  let frequencies = new Map<string, number>();
  const index = new Index({
    tokenize: 'strict',
    resolution: mostFrequencies,
    encode(text: string) {
      const terms = passageTerms(text, language);
      frequencies = new Map();
      for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
      return [...frequencies.keys()];
    },
    score: (_terms: string[], term: string) =>
      Math.min(frequencies.get(term) ?? 1, mostFrequencies) - 1,
  });
  for (const [id, text] of texts.entries()) {
    frequencies = new Map();
    index.add(id, text);
    lengths[id] = [...frequencies.values()].reduce((sum, count) => sum + count, 0);
    if (id % 256 === 0) {
      onProgress(id);
      // Keeps a process that bakes in memory answering while it does.
      await new Promise((resume) => setImmediate(resume));
    }
  }
  const terms = termPostings(Reflect.get(index, 'map'));
  const postings = terms.reduce((sum, term) => sum + term.passages.length, 0);
  return { bytes: encodeKeywords(terms, lengths), counts: { terms: terms.length, postings } };
}

function termPostings(map: unknown): TermPostings[] {
  if (!(map instanceof Map))
    throw new TypeError(
      'flexsearch keeps its postings elsewhere; pin the version this was written for',
    );
  return [...map.entries()]
    .map(([term, slots]: [unknown, unknown]) => ({ term: String(term), ...flatten(slots) }))
    .toSorted((a, b) => (a.term < b.term ? -1 : 1));
}

function flatten(slots: unknown): Omit<TermPostings, 'term'> {
  const list: [passage: number, frequency: number][] = [];
  if (Array.isArray(slots))
    slots.forEach((ids: number[], slot) => ids.forEach((id) => list.push([id, slot + 1])));
  list.sort(([a], [b]) => a - b);
  return { passages: list.map(([id]) => id), frequencies: list.map(([, frequency]) => frequency) };
}
