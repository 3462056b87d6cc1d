import type { Block, BlockKind, BlockPart, Position } from '../documents/source.js';
import { tokenCount } from './tokens.js';

/** The smallest piece a passage is put together from. */
export interface Unit {
  readonly kind: BlockKind;
  readonly text: string;
  readonly raw: string;
  /** Length of `text` in tokens. */
  readonly tokens: number;
  /** What parts it from the unit before it in the same passage. */
  readonly before: ' ' | '\n' | '';
  readonly position?: Position | undefined;
}

/** A sentence, or a line of code. */
interface Stretch {
  readonly text: string;
  readonly before: Unit['before'];
}

interface Piece {
  readonly text: string;
  readonly tokens: number;
  readonly before: ' ' | '';
}

/**
 * Parts that fit stay whole; longer ones, and prose, are cut at sentence ends, code between lines,
 * and what is still too long between words. A unit is longer than `longest` only when it is a
 * single character that alone is.
 */
export function toUnits(block: Block, longest: number): Unit[] {
  return block.parts.flatMap(
    (part) => wholeUnit(block, part, longest) ?? cutPart(block, part, longest),
  );
}

function wholeUnit(
  block: Block,
  { text, raw = text }: BlockPart,
  longest: number,
): Unit[] | undefined {
  const { kind, position } = block;
  if (kind === 'prose' || kind === 'transcript') return undefined;
  const tokens = tokenCount(text);
  return tokens <= longest ? [{ kind, text, raw, tokens, before: '\n', position }] : undefined;
}

function cutPart({ kind, position }: Block, part: BlockPart, longest: number): Unit[] {
  const stretches = kind === 'code' ? lines(part.text) : sentences(part.text);
  return stretches.flatMap((stretch) =>
    fit(stretch.text, longest).map(({ text, tokens, before }, at): Unit => {
      return {
        kind,
        text,
        raw: text,
        tokens,
        before: at === 0 ? stretch.before : before,
        position,
      };
    }),
  );
}

// A fixed language: the machine's own would give other sentences on another machine.
const sentenceCutter = new Intl.Segmenter('en', { granularity: 'sentence' });
const wordCutter = new Intl.Segmenter('en', { granularity: 'word' });
const characterCutter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function lines(text: string): Stretch[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ text: line, before: '\n' }));
}

/** A stop with no space behind it ends a sentence only where sentences have none, as in Japanese. */
function sentences(text: string): Stretch[] {
  const out: Stretch[] = [];
  let open = '';
  let before: Stretch['before'] = '\n';
  for (const segment of segments(sentenceCutter, text)) {
    open += segment;
    if (/[\u0021-\u007e]$/.test(open)) continue;
    if (open.trim() !== '') out.push({ text: open.trim(), before });
    before = /\s$/.test(open) ? ' ' : '';
    open = '';
  }
  return open.trim() === '' ? out : [...out, { text: open.trim(), before }];
}

function segments(cutter: Intl.Segmenter, text: string): string[] {
  return Array.from(cutter.segment(text), ({ segment }) => segment);
}

/** Ways to cut a sentence, the next where a piece is still too long: at spaces, between words, between characters. */
const cutters: readonly ((text: string) => string[])[] = [
  (text) => text.match(/\s*\S+/g) ?? [],
  words,
  (text) => segments(characterCutter, text),
];

/** Pieces of at most `longest` tokens. */
function fit(text: string, longest: number, way = 0): Piece[] {
  const whole: Piece = { text, tokens: tokenCount(text), before: '' };
  const cut = cutters[way];
  if (whole.tokens <= longest || cut === undefined) return [whole];
  return fill(cut(text), longest).flatMap((piece) => {
    if (piece.tokens <= longest) return [piece];
    const [first, ...others] = fit(piece.text, longest, way + 1);
    return first ? [{ ...first, before: piece.before }, ...others] : [];
  });
}

/** Words, each with the stops and closing brackets behind it. */
function words(text: string): string[] {
  const out: string[] = [];
  for (const segment of segments(wordCutter, text)) {
    const closes = out.length > 0 && /^[\p{Pe}\p{Pf}\p{Po}]/u.test(segment);
    if (closes) out[out.length - 1] += segment;
    else out.push(segment);
  }
  return out;
}

/**
 * As many segments a piece as fit. The tokens of a joined text are those of its segments or a few
 * more or fewer, so each piece is counted again and gives back segments until it does fit.
 */
function fill(all: readonly string[], longest: number): Piece[] {
  const lengths = all.map(tokenCount);
  const out: Piece[] = [];
  let from = 0;
  while (from < all.length) {
    let to = from + 1;
    let size = lengths[from] ?? 0;
    while (to < all.length && size + (lengths[to] ?? 0) <= longest) size += lengths[to++] ?? 0;
    let piece = toPiece(all.slice(from, to));
    while (piece.tokens > longest && to > from + 1) piece = toPiece(all.slice(from, --to));
    if (piece.text !== '') out.push(piece);
    from = to;
  }
  return out;
}

function toPiece(parts: readonly string[]): Piece {
  const joined = parts.join('');
  const text = joined.trim();
  return { text, tokens: tokenCount(text), before: /^\s/.test(joined) ? ' ' : '' };
}
