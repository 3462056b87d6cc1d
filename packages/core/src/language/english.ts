import { stemmer } from 'stemmer';

/** Function words: they say little of what a question is about, so they count only where nothing else is said. */
const functionWords: ReadonlySet<string> = new Set(
  `a about ain am an and any are aren as at be been being but by can could d couldn did didn do does doesn doing don done for from get got had hadn has hasn
  have haven having he her here hers him his how i if in into is isn it its just ll m may me might mine must my no nor not of
  on or our ours out over please re s shall she should shouldn so some such t than that the their theirs them then there
  these they this those to too under up us ve very was wasn we were weren what when where which while who whom whose why will
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
