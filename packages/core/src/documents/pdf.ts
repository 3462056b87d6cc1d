import { KnowledgeError } from '../errors.js';
import type { UnreadableReason } from '../errors.js';
import { clean, oneLine } from './clean.js';
import type { Block, Document } from './source.js';

interface Line {
  readonly text: string;
  readonly top: number;
  readonly height: number;
}

/** A PDF with a text layer: a block a page, a part a paragraph, pages numbered from 1. */
export async function parsePdf(bytes: Uint8Array): Promise<Document> {
  const pages = await readPages(bytes);
  const compounds = hyphenated(pages);
  const blocks = pages.flatMap((lines, at): Block[] => {
    const parts = paragraphs(lines, compounds).map((text) => ({ text: oneLine(text) }));
    const position = { kind: 'page', start: at + 1, end: at + 1 } as const;
    return parts.length === 0 ? [] : [{ kind: 'prose', heading: [], parts, position }];
  });
  if (blocks.length === 0) {
    throw unreadable(
      'no-text-layer',
      'it has no text layer; run it through text recognition, or remove it.',
    );
  }
  const empty = pages.flatMap((lines, at) => (lines.length === 0 ? [at + 1] : []));
  const warnings = empty.length > 0 ? [`no text on page ${empty.join(', ')}`] : [];
  return { blocks, warnings };
}

async function readPages(bytes: Uint8Array): Promise<Line[][]> {
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch(
    (error: unknown) => {
      const locked = error instanceof Error && error.name === 'PasswordException';
      throw locked
        ? unreadable('encrypted', 'it needs a password; save a copy without one.', error)
        : unreadable('broken', 'it is damaged or not a PDF; export it again.', error);
    },
  );
  try {
    const pages: Line[][] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      // Pages share one parser; reading them at once gains nothing and holds them all in memory.
      const content = await (await pdf.getPage(number)).getTextContent();
      pages.push(toLines(content.items));
    }
    return pages;
  } finally {
    await pdf.destroy();
  }
}

function toLines(items: readonly object[]): Line[] {
  const lines: Line[] = [];
  let open = { text: '', top: 0, height: 0 };
  const close = (): void => {
    const text = clean(open.text).replace(/\s+/g, ' ').trim();
    if (text !== '') lines.push({ ...open, text });
    open = { text: '', top: 0, height: 0 };
  };
  for (const item of items) {
    if (!('str' in item && 'transform' in item && 'height' in item && 'hasEOL' in item)) continue;
    const { str, transform, height, hasEOL } = item;
    const top = Array.isArray(transform) ? Number(transform[5]) : 0;
    if (open.text === '') open.top = top;
    open.text += String(str);
    open.height = Math.max(open.height, Number(height));
    if (hasEOL === true) close();
  }
  close();
  return lines;
}

/** Words that the document hyphenates inside a line, as in `check-in`. */
function hyphenated(pages: readonly (readonly Line[])[]): ReadonlySet<string> {
  const words = pages.flatMap((lines) =>
    lines.flatMap(({ text }) => text.toLowerCase().match(/\p{L}+[-\u2010]\p{L}+/gu) ?? []),
  );
  return new Set(words);
}

/** Lines joined while they follow each other closely. */
function paragraphs(lines: readonly Line[], compounds: ReadonlySet<string>): string[] {
  const out: string[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const gap = before ? before.top - line.top : 0;
    const joined =
      before !== undefined && gap >= 0 && gap < 1.6 * Math.max(before.height, line.height);
    const last = out.at(-1);
    if (!joined || last === undefined) out.push(line.text);
    else out[out.length - 1] = joinLines(last, line.text, compounds);
    before = line;
  }
  return out;
}

/**
 * A word parted by a hyphen at a line's end is made whole when it goes on in lower case. The hyphen
 * goes, unless the document writes the same word with one inside a line.
 */
function joinLines(above: string, below: string, compounds: ReadonlySet<string>): string {
  const [head] = /\p{L}+[-\u2010\u00ad]$/u.exec(above) ?? [];
  const [rest] = /^\p{Ll}\p{L}*/u.exec(below) ?? [];
  if (head === undefined || rest === undefined) return `${above}\n${below}`;
  return compounds.has((head + rest).toLowerCase()) ? above + below : above.slice(0, -1) + below;
}

function unreadable(reason: UnreadableReason, message: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError({ code: 'document-unreadable', reason, message, cause });
}
