/** What a block of a document is; it decides where the block may be cut. */
export type BlockKind = 'prose' | 'list' | 'table' | 'code' | 'question' | 'transcript';

/** Where in the original a block stands, for citations. */
export type Position =
  | { readonly kind: 'page'; readonly start: number; readonly end: number }
  | { readonly kind: 'time'; readonly start: number; readonly end: number };

/** A piece that is never cut unless it alone is longer than a passage: a table row, a list item, a paragraph. */
export interface BlockPart {
  /** As a person would say it: no markup, no addresses. */
  readonly text: string;
  /** As it stands in the document; omitted when the same. */
  readonly raw?: string | undefined;
}

/** A run of parts of one kind below one heading. */
export interface Block {
  readonly kind: BlockKind;
  /** Headings above the block, outermost first, without the document's title. */
  readonly heading: readonly string[];
  readonly parts: readonly BlockPart[];
  /** Pages from 1, or times in milliseconds. */
  readonly position?: Position | undefined;
  /** For `question` blocks: the question that the parts answer. */
  readonly question?: string | undefined;
}

/** One source text, read and taken apart. */
export interface Document {
  /** Spoken before each passage when it is indexed; omitted when the document has none. */
  readonly title?: string | undefined;
  readonly blocks: readonly Block[];
  /** What a person should know of the reading, without the document's text. */
  readonly warnings: readonly string[];
}

/** A document that a source offers; it is read only when it is needed. */
export interface SourceEntry {
  /** Unique inside the source and stable, for example `policies/refunds.md`. */
  readonly name: string;
  /** Size of the original in bytes. */
  readonly bytes: number;
  /** SHA-256 of the original, in hex: two equal ones need not be read twice. */
  readonly sha256: string;
  /** Throws a `KnowledgeError` with code `document-unreadable` when it cannot be read. */
  read(): Promise<Document>;
}

/** What a source may use and report to while it lists its documents. */
export interface SourceContext {
  readonly signal?: AbortSignal | undefined;
  /** A file that is none of the kinds the source reads; it is counted, not read. */
  ignored(name: string): void;
}

/** Where documents come from. Yields the same entries in the same order while nothing has changed. */
export interface Source {
  /** Short name for messages, for example the folder's. */
  readonly name: string;
  entries(context: SourceContext): AsyncIterable<SourceEntry>;
}
