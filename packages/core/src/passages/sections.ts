import type { Block } from '../documents/source.js';
import { tokenCount } from './tokens.js';

/** All that stands below one heading, up to the next. */
export interface Section {
  readonly heading: readonly string[];
  readonly blocks: readonly Block[];
}

/** A section of fewer tokens than this is too small to stand alone. */
const smallSection = 20;

/**
 * Blocks gathered by heading. A small section joins its next sibling, its heading said before its
 * text; a heading with nothing below it is kept as text; one that only holds other headings is in
 * their paths already.
 */
export function toSections(blocks: readonly Block[]): Section[] {
  const sections = gather(blocks).filter(
    (section, at, all) => section.blocks.length > 0 || !holds(section, all[at + 1]),
  );
  const out: Section[] = [];
  let carried: Block[] = [];
  sections.forEach((section, at) => {
    const next = sections[at + 1];
    const own = section.blocks.length > 0 ? section.blocks : [sayHeading(section)];
    if (next && siblings(section, next) && isSmall([...carried, ...own])) {
      carried.push(...(section.blocks.length > 0 ? [sayHeading(section), ...own] : own));
      return;
    }
    // Its own heading is said too, or what follows would be read as said of the carried ones.
    const joined = carried.length > 0 ? [...carried, sayHeading(section), ...own] : own;
    out.push({ heading: section.heading, blocks: joined });
    carried = [];
  });
  return out;
}

function gather(blocks: readonly Block[]): Section[] {
  const sections: { heading: readonly string[]; blocks: Block[] }[] = [];
  for (const block of blocks) {
    const last = sections.at(-1);
    const opens = block.parts.length === 0;
    const target =
      last && !opens && equal(last.heading, block.heading)
        ? last
        : { heading: block.heading, blocks: [] };
    if (target !== last) sections.push(target);
    if (!opens) target.blocks.push(block);
  }
  return sections;
}

function sayHeading(section: Section): Block {
  return {
    kind: 'prose',
    heading: section.heading,
    parts: [{ text: section.heading.at(-1) ?? '' }],
  };
}

function isSmall(blocks: readonly Block[]): boolean {
  let size = 0;
  for (const { parts } of blocks) {
    for (const { text } of parts) {
      size += tokenCount(text);
      if (size >= smallSection) return false;
    }
  }
  return true;
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((heading, at) => heading === b[at]);
}

function siblings(a: Section, b: Section): boolean {
  return (
    a.heading.length > 0 &&
    a.heading.length === b.heading.length &&
    equal(a.heading.slice(0, -1), b.heading.slice(0, -1))
  );
}

function holds(section: Section, next: Section | undefined): boolean {
  return (
    next !== undefined &&
    next.heading.length > section.heading.length &&
    equal(section.heading, next.heading.slice(0, section.heading.length))
  );
}
