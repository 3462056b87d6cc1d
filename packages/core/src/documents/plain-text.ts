import { oneLine } from './clean.js';
import type { Block, Document } from './source.js';

/** A text file: paragraphs parted by blank lines, no headings. */
export function parsePlainText(text: string): Document {
  const parts = text
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => ({ text: oneLine(paragraph), raw: paragraph.trim() }))
    .filter((part) => part.text !== '');
  const block: Block = { kind: 'prose', heading: [], parts };
  return { blocks: parts.length === 0 ? [] : [block], warnings: [] };
}
