import type { FoundPassage } from './found-passage.js';

/** Two texts of which nine in ten different words are the same say the same thing. */
const sameShare = 0.9;
const samples = 3;
const sampleLength = 10;

/**
 * The first `topK` passages that each say something new. One that overlaps a neighbour already taken is
 * joined to it; a near-duplicate is left out, unless its numbers differ: then it is another fact.
 */
export function trim(found: Iterable<FoundPassage>, topK: number): FoundPassage[] {
  const taken: FoundPassage[] = [];
  for (const candidate of found) {
    const place = taken.findIndex((other) => overlap(other, candidate));
    const other = taken[place];
    if (other) taken[place] = join(other, candidate);
    else if (!taken.some(({ text }) => sameFacts(text, candidate.text))) taken.push(candidate);
    if (taken.length === topK) break;
  }
  return taken;
}

function overlap(a: FoundPassage, b: FoundPassage): boolean {
  if (Math.abs(a.record.id - b.record.id) !== 1) return false;
  const [first, second] = inOrder(a, b);
  return !first.neighbour && !second.neighbour && second.record.overlap > 0;
}

/** Both passages as one, in the place and with the scores of the better one. */
function join(better: FoundPassage, other: FoundPassage): FoundPassage {
  const [first, second] = inOrder(better, other);
  const text = first.text + second.text.slice(second.record.overlap);
  return { ...better, text, neighbour: other.record };
}

function inOrder(a: FoundPassage, b: FoundPassage): readonly [FoundPassage, FoundPassage] {
  return a.record.id < b.record.id ? [a, b] : [b, a];
}

function sameFacts(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < sameShare * Math.max(a.length, b.length) - 20) return false;
  if (isCapitals(a) === isCapitals(b) && !sharesSamples(a, b)) return false;
  const [left, right] = [words(a), words(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  if (shared < sameShare * Math.max(left.size, right.size)) return false;
  return numbers(left) === numbers(right);
}

/**
 * Whether most of a few pieces of one text stand in the other: of nearly equal texts they do. Comparing
 * all words costs several times the rest of a lookup, and hardly any two passages are nearly equal.
 */
function sharesSamples(a: string, b: string): boolean {
  let missing = 0;
  for (let sample = 0; sample < samples; sample++) {
    const at = Math.floor((a.length * sample) / samples);
    if (!b.includes(a.slice(at, at + sampleLength)) && ++missing > samples / 2) return false;
  }
  return true;
}

function isCapitals(text: string): boolean {
  return !/\p{Ll}/u.test(text);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu));
}

function numbers(all: ReadonlySet<string>): string {
  return [...all]
    .filter((word) => /\p{N}/u.test(word))
    .toSorted()
    .join(' ');
}
