import { stemmer } from 'stemmer';

/** Function words: they say little of what a question is about, so they count only where nothing else is said. */
const functionWords: ReadonlySet<string> = new Set(
  `a about am an and any are as at be been being but by can could d did do does doing done for from get got had has
  have having he her here hers him his how i if in into is it its just ll m may me might mine must my no nor not of
  on or our ours out over please re s shall she should so some such t than that the their theirs them then there
  these they this those to too under up us ve very was we were what when where which while who whom whose why will
  with would you your yours`.split(/\s+/),
);

export function isFunctionWord(word: string): boolean {
  return functionWords.has(word);
}

const stems = new Map<string, string>();
const remembered = 20_000;
const longestWord = 40;

/** Porter's stem; remembered, because a bake meets the same words over and over. */
export function stem(word: string): string {
  if (word.length > longestWord) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= remembered) stems.clear();
  const fresh = stemmer(word);
  stems.set(word, fresh);
  return fresh;
}
