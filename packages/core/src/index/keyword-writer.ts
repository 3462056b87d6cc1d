import { eventLoopTurns } from '../event-loop-turns.js';
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
  const turn = eventLoopTurns();
  for (const [id, text] of texts.entries()) {
    frequencies = new Map();
    index.add(id, text);
    lengths[id] = [...frequencies.values()].reduce((sum, count) => sum + count, 0);
    if (id % 256 === 0) onProgress(id);
    await turn();
  }
  const terms = await termPostings(Reflect.get(index, 'map'));
  const postings = terms.reduce((sum, term) => sum + term.passages.length, 0);
  return {
    bytes: await encodeKeywords(terms, lengths),
    counts: { terms: terms.length, postings },
  };
}

async function termPostings(map: unknown): Promise<TermPostings[]> {
  if (!(map instanceof Map))
    throw new TypeError(
      'flexsearch keeps its postings elsewhere; pin the version this was written for',
    );
  const turn = eventLoopTurns();
  const out: TermPostings[] = [];
  for (const term of await sorted(map.keys())) {
    out.push({ term, ...flatten(map.get(term)) });
    await turn();
  }
  return out;
}

/** In the order of their code units: groups of terms with the same beginning, one after the other. */
async function sorted(terms: Iterable<unknown>): Promise<string[]> {
  const turn = eventLoopTurns();
  const groups = new Map<string, string[]>();
  for (const given of terms) {
    const term = String(given);
    const beginning = term.slice(0, 2);
    const group = groups.get(beginning);
    if (group) group.push(term);
    else groups.set(beginning, [term]);
    await turn();
  }
  const out: string[] = [];
  for (const [, group] of [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    for (const term of group.toSorted((a, b) => (a < b ? -1 : 1))) out.push(term);
    await turn();
  }
  return out;
}

/** One number a posting, so that they can be sorted as numbers. */
function flatten(slots: unknown): Omit<TermPostings, 'term'> {
  const postings: number[] = [];
  if (Array.isArray(slots))
    slots.forEach((ids: number[], slot) => {
      for (const id of ids) postings.push(id * mostFrequencies + slot);
    });
  const ordered = Float64Array.from(postings).toSorted();
  return {
    passages: Array.from(ordered, (posting) => Math.floor(posting / mostFrequencies)),
    frequencies: Array.from(ordered, (posting) => (posting % mostFrequencies) + 1),
  };
}
