import type { Document } from '../../src/documents/source.js';
import type { Passage } from '../../src/passages/passage.js';
import { type SplitOptions, splitDocument } from '../../src/passages/split.js';

/** All passages of a document at once. */
export function splitWhole(document: Document, number: number, options: SplitOptions): Passage[] {
  return [...splitDocument(document, number, options)].flatMap((passage) => passage ?? []);
}
