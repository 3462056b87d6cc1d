import type { Document, Position } from '../documents/source.js';
import type { Passage } from './passage.js';
import { toSections, type Section } from './sections.js';
import { tokenCount } from './tokens.js';
import { toUnits, type Unit } from './units.js';

export interface SplitOptions {
  /** Longest passage, in tokens. */
  readonly chunkSize: number;
  /** How much of a passage the next one may repeat, in tokens. */
  readonly chunkOverlap: number;
}

/**
 * A document's passages, in order, in small steps: `undefined` is a step that made none. Passages never
 * cross a heading, and prose is cut at sentence ends. No passage is longer than `chunkSize`, except an answer
 * to a question, which stays whole, and a single character that alone is longer.
 */
export function* splitDocument(
  document: Document,
  number: number,
  options: SplitOptions,
): Generator<Passage | undefined> {
  for (const section of toSections(document.blocks)) yield* splitSection(section, number, options);
}

function* splitSection(
  { blocks, heading }: Section,
  number: number,
  options: SplitOptions,
): Generator<Passage | undefined> {
  const units: Unit[] = [];
  for (const block of blocks) {
    if (block.kind === 'question') continue;
    for (const unit of toUnits(block, options.chunkSize)) units.push(unit);
    yield undefined;
  }
  for (const packed of pack(units, options)) yield toPassage(packed, number, heading);
  for (const block of blocks) {
    if (block.kind !== 'question') continue;
    const whole = packUnits([], toUnits(block, Number.POSITIVE_INFINITY));
    yield { ...toPassage(whole, number, heading), question: block.question ?? '' };
  }
}

interface Packed {
  readonly units: readonly Unit[];
  /** How many of the first units repeat the passage before. */
  readonly overlap: number;
  /** Length of the joined text. */
  readonly tokens: number;
}

function* pack(
  units: readonly Unit[],
  { chunkSize, chunkOverlap }: SplitOptions,
): Generator<Packed> {
  let repeated: readonly Unit[] = [];
  let from = 0;
  while (from < units.length) {
    let to = reach(units, from, chunkSize - sum(repeated));
    let packed = packUnits(repeated, units.slice(from, to));
    while (packed.tokens > chunkSize && packed.units.length > 1) {
      if (to > from + 1) to--;
      else repeated = [];
      packed = packUnits(repeated, units.slice(from, to));
    }
    yield packed;
    repeated = tail(packed.units, Math.min(chunkOverlap, chunkSize - (units[to]?.tokens ?? 0)));
    from = to;
  }
}

function packUnits(repeated: readonly Unit[], fresh: readonly Unit[]): Packed {
  const units = [...repeated, ...fresh];
  return { units, overlap: repeated.length, tokens: tokensOf(units) };
}

/** Where the units from `from` on, at least one, reach `budget` if joining them changes no count. */
function reach(units: readonly Unit[], from: number, budget: number): number {
  let to = from + 1;
  let size = units[from]?.tokens ?? 0;
  while (to < units.length && size + (units[to]?.tokens ?? 0) <= budget)
    size += units[to++]?.tokens ?? 0;
  return to;
}

/** The last sentences of a passage that together fit into `budget`; rows, items and code repeat nothing. */
function tail(units: readonly Unit[], budget: number): readonly Unit[] {
  let from = units.length;
  let size = 0;
  while (from > 1) {
    const unit = units[from - 1];
    if (unit === undefined || unit.kind !== 'prose' || size + unit.tokens > budget) break;
    size += unit.tokens;
    from--;
  }
  while (from < units.length && tokensOf(units.slice(from)) > budget) from++;
  return units.slice(from);
}

function toPassage(
  { units, overlap, tokens }: Packed,
  document: number,
  heading: readonly string[],
): Passage {
  const text = join(units, (unit) => unit.text);
  const kinds = new Set(units.map((unit) => unit.kind));
  const [first] = units;
  return {
    kind: kinds.size === 1 && first ? first.kind : 'prose',
    document,
    heading,
    text,
    raw: join(units, (unit) => unit.raw),
    question: '',
    position: cover(units),
    tokens,
    overlap: join(units.slice(0, overlap), (unit) => unit.text).length,
  };
}

function tokensOf(units: readonly Unit[]): number {
  return tokenCount(join(units, (unit) => unit.text));
}

function sum(units: readonly Unit[]): number {
  return units.reduce((total, { tokens }) => total + tokens, 0);
}

function join(units: readonly Unit[], of: (unit: Unit) => string): string {
  return units.map((unit, at) => (at === 0 ? '' : unit.before) + of(unit)).join('');
}

function cover(units: readonly Unit[]): Position | undefined {
  const positions = units.flatMap(({ position }) => (position ? [position] : []));
  const [first] = positions;
  if (!first) return undefined;
  const start = Math.min(...positions.map((position) => position.start));
  const end = Math.max(...positions.map((position) => position.end));
  return { kind: first.kind, start, end };
}
