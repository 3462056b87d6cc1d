import { isFunctionWord, stem } from './english.js';
import { isAscii, normalise } from './normalise.js';

/** Names the rules below in an index's fingerprint; raise the version when any of them changes. */
export const tokenizer = { id: 'cuecard', version: 1 } as const;

/** Letters and digits with what holds a code, a decimal, a compound or an address together. */
const run = /[\p{L}\p{N}\p{M}]+(?:[._@+/'’&:-]+[\p{L}\p{N}\p{M}]+)*/gu;
const part = /[\p{L}\p{N}\p{M}]+/gu;
/** A part's stretches of one kind. The order of the groups is the order of `kinds`. */
const stretch =
  /(\p{N}+)|([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+)|(\p{Script=Hangul}+)|([\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)|(\p{Script=Arabic}+)|((?:(?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}|\p{Script=Arabic})[\p{L}\p{M}ー])+)/gu;

/** The same rules for plain ASCII, which most text is: these need no Unicode tables and are compiled in no time. */
const asciiRules = {
  run: /[a-z0-9]+(?:[._@+/'&:-]+[a-z0-9]+)*/g,
  part: /[a-z0-9]+/g,
  stretch: /([0-9]+)|[a-z]+/g,
  digit: /[0-9]/,
} as const;
const unicodeRules = { run, part, stretch, digit: /\p{N}/u } as const;
type Rules = typeof asciiRules | typeof unicodeRules;

const longestCode = 40;
const longestAddress = 254;
const prefixLength = 5;

type Emit = (term: string, functionWord: boolean) => void;

/** Terms of a passage, in order, repeats kept: what the index counts. */
export function passageTerms(text: string, language: string): string[] {
  const terms: string[] = [];
  tokenize(text, language, (term) => terms.push(term));
  return terms;
}

/** Terms of a question: function words are left out, unless the question has nothing else. */
export function queryTerms(text: string, language: string): string[] {
  const all: string[] = [];
  const telling: string[] = [];
  tokenize(text, language, (term, functionWord) => {
    all.push(term);
    if (!functionWord) telling.push(term);
  });
  return telling.length > 0 ? telling : all;
}

function tokenize(text: string, language: string, emit: Emit): void {
  const normal = normalise(text);
  const rules = isAscii(normal) ? asciiRules : unicodeRules;
  for (const whole of normal.match(rules.run) ?? []) {
    if (/^[a-z]+$/.test(whole)) {
      tokenizeWord(whole, language, emit);
      continue;
    }
    const parts = whole.match(rules.part) ?? [];
    for (const piece of parts) tokenizePart(piece, rules, language, emit);
    if (parts.length === 1) continue;
    if (whole.includes('@') && whole.length <= longestAddress) emit(whole, false);
    const joined = parts.join('');
    if (joined.length <= longestCode && rules.digit.test(joined)) emit(joined, false);
  }
}

function tokenizePart(piece: string, rules: Rules, language: string, emit: Emit): void {
  if (/^[a-z]+$/.test(piece)) return tokenizeWord(piece, language, emit);
  let digits = false;
  let word = false;
  for (const [text, number, han, hangul, unspaced, arabic] of piece.matchAll(rules.stretch)) {
    if (number !== undefined) {
      digits = true;
      emit(number, false);
    } else if (han !== undefined) {
      grams(han, 1, emit);
      if (han.length > 1) grams(han, 2, emit);
    } else if (hangul !== undefined) grams(hangul, 2, emit);
    else if (unspaced !== undefined) grams(unspaced, 3, emit);
    else if (arabic !== undefined) grams(arabic, 4, emit);
    else {
      word = true;
      tokenizeWord(text, language, emit);
    }
  }
  if (digits && word && piece.length <= longestCode) emit(piece, false);
}

/** English words by their stem; words of other languages whole and, where they may inflect, by their beginning. */
function tokenizeWord(word: string, language: string, emit: Emit): void {
  if (language === 'en') {
    emit(/^[a-z]+$/.test(word) ? stem(word) : word, isFunctionWord(word));
    return;
  }
  emit(word, false);
  const letters = Array.from(word);
  if (letters.length > prefixLength) emit(`~${letters.slice(0, prefixLength).join('')}`, false);
}

/** Overlapping pieces of `size` code points; a shorter text is one piece. */
function grams(text: string, size: number, emit: Emit): void {
  const points = Array.from(text);
  if (points.length <= size) return emit(text, false);
  for (let at = 0; at + size <= points.length; at++)
    emit(points.slice(at, at + size).join(''), false);
}
