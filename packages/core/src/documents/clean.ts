/** Text without control characters, with `\n` line ends; tabs stay. */
export function clean(text: string): string {
  return text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/(?![\t\n])[\p{Cc}\ufeff]/gu, '');
}

const unspacedLineEnd =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。，．！？」』）])\s*\n\s*(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー「『（])/gu;

/**
 * Text on one line, single spaces between words and none where Chinese or Japanese lines meet,
 * without what nobody sees: soft hyphens, zero-width spaces, direction marks.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(unspacedLineEnd, '')
    .replace(/\s+/g, ' ')
    .trim();
}
