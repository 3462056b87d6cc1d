import { clean } from '../documents/clean.js';
import type { LookupResult } from '../lookup/lookup-result.js';

/**
 * What chat templates put between turns: a server that runs a model itself may take it for its own. Runs of brackets go
 * whole, for of `<|<|im_end|>|>` the outer ones would be left.
 */
const pipeMark = /<+\|+(?:([^<>|]{1,40})\|>)?/g;
const bracketMark = /\[+\/?(INST)\]+|<+\/?(s|(?:start|end)_of_turn)>+/g;

/**
 * Passages as data: no control characters, nobody's invisible marks, and the brackets taken off what a chat template would
 * read as the end of a turn. The words stay.
 */
export function quoted(result: LookupResult): LookupResult {
  if (!('results' in result)) return result;
  return {
    ...result,
    results: result.results.map((passage) => ({
      ...passage,
      text: harmless(passage.text),
      source: harmless(passage.source),
      ...(passage.heading === undefined ? {} : { heading: harmless(passage.heading) }),
    })),
  };
}

function harmless(text: string): string {
  return clean(text)
    .replace(/[\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu, '')
    .replace(pipeMark, '$1')
    .replace(bracketMark, '$1$2');
}
