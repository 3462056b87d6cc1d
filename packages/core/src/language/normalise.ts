const letters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ı', 'i'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['أ', 'ا'],
  ['إ', 'ا'],
  ['آ', 'ا'],
  ['ٱ', 'ا'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ة', 'ه'],
]);
const special = new RegExp(`[${[...letters.keys()].join('')}]`, 'g');
const marks = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu;
/** Soft hyphens, zero-width signs, and the Arabic vowel signs and stretching that most writers leave out. */
const unseen = /[\u00ad\u200b-\u200f\u2060\ufeff\u0640]|[\u064b-\u065f\u0670]/g;

/**
 * Text as it is compared: NFKC, lower case, without the marks that writers leave out (accents of
 * Latin, Greek and Cyrillic letters, Arabic vowel signs), variant letters folded. Doing it again
 * changes nothing.
 */
export function normalise(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const lower = text.normalize('NFKC').toLowerCase();
  if (isAscii(lower)) return lower;
  const seen = lower.replace(unseen, '');
  const bare = seen.normalize('NFD').replace(marks, '$1').normalize('NFC');
  return bare.replace(special, (letter) => letters.get(letter) ?? letter);
}

/** Whether a text needs none of the rules for other scripts. */
export function isAscii(text: string): boolean {
  return !/\P{ASCII}/u.test(text);
}
