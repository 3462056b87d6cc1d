/** Signs that are written around words and not said. A sign before a word may be part of it: `.5`, `-5`. */
const before = /^[\p{Quotation_Mark}\p{Ps}¿¡]+/u;
const after = /^[\p{Quotation_Mark}\p{Pe}\p{Terminal_Punctuation}]$/u;
/** The tokenizer takes a byte order mark out of its word; it is no space. */
const space = /[^\S\ufeff]+/;

/**
 * The words of a query, for comparing it with others: what differs in letter case, spacing or punctuation
 * around words only has the same words. Signs inside words, such as those of codes, are kept.
 */
export function queryWords(query: string): string {
  const words = query.normalize('NFKC').toLowerCase().split(space);
  return words
    .map((word) => withoutEnd(word.replace(before, '')))
    .filter((word) => word !== '')
    .join(' ');
}

/** A pattern that ends in `$` would try every sign of a long row of them as its beginning. */
function withoutEnd(word: string): string {
  const signs = Array.from(word);
  const last = signs.findLastIndex((sign) => !after.test(sign));
  return signs.slice(0, last + 1).join('');
}
