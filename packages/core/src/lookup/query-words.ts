/** Signs that are written around words and not said. A sign before a word may be part of it: `.5`, `-5`. */
const before = String.raw`[\p{Quotation_Mark}\p{Ps}¿¡]`;
const after = String.raw`[\p{Quotation_Mark}\p{Pe}\p{Terminal_Punctuation}]`;
const around = new RegExp(`^${before}+|${after}+$`, 'gu');
/** The tokenizer takes a byte order mark out of its word; it is no space. */
const space = /[^\S\ufeff]+/;

/**
 * The words of a query, for comparing it with others: what differs in letter case, spacing or punctuation
 * around words only has the same words. Signs inside words, such as those of codes, are kept.
 */
export function queryWords(query: string): string {
  const words = query.normalize('NFKC').toLowerCase().split(space);
  return words
    .map((word) => word.replace(around, ''))
    .filter((word) => word !== '')
    .join(' ');
}
