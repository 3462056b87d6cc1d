import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';

const specialTokensAsText = { disallowedSpecial: new Set<string>() };

const longestPiece = 256;
/** Ends where no token can lie across: after a letter or digit that no other follows, or before a space. */
const piece = /[^]{1,256}(?:$|(?<=[\p{L}\p{N}])(?![\p{L}\p{N}\p{M}])|(?<=\S)(?= ))|[^]{1,256}/gu;

/**
 * Length of a text in cl100k tokens, the unit of `chunkSize`. Special tokens in a document are
 * ordinary text. A run of more than 256 letters or signs without a break is counted in pieces:
 * merging takes quadratic time.
 */
export function tokenCount(text: string): number {
  if (text.length <= longestPiece) return countTokens(text, specialTokensAsText);
  const pieces = text.match(piece) ?? [];
  return pieces.reduce((sum, part) => sum + countTokens(part, specialTokensAsText), 0);
}
