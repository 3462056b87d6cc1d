import type { BlockKind, Position } from '../documents/source.js';

/** A piece of a document small enough to say, as the splitter makes it and the index keeps it. */
export interface Passage {
  readonly kind: BlockKind;
  /** Place of its document in the bake. */
  readonly document: number;
  /** Headings above it, outermost first, without the document's title. */
  readonly heading: readonly string[];
  /** As a person would say it. */
  readonly text: string;
  /** As it stands in the document, for citations. */
  readonly raw: string;
  /** For question-and-answer passages: the question, searched with the text. */
  readonly question: string;
  readonly position?: Position | undefined;
  /** Length of `text` in cl100k tokens. */
  readonly tokens: number;
  /** How many characters at the beginning of `text` the passage before it ends with. */
  readonly overlap: number;
}

/** What keywords and meanings are taken from: the passage with what stands above it. */
export function indexedText(
  title: string,
  passage: Pick<Passage, 'heading' | 'question' | 'text'>,
): string {
  const headings = passage.heading.filter((heading) => heading !== title);
  return [title, ...headings, passage.question, passage.text]
    .filter((line) => line !== '')
    .join('\n');
}
