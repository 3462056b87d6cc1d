import { corrupt } from './index-error.js';

export const documentsFile = 'documents.json';
export const sourcesFile = 'sources.json';

/** Names and titles of the documents, and every heading path once; passages refer to both by place. */
export interface DocumentTable {
  readonly names: readonly string[];
  readonly titles: readonly string[];
  readonly headings: readonly (readonly string[])[];
}

/** What each document was when it was baked, in the order of the table; only a check needs it. */
export interface SourceTable {
  readonly bytes: readonly number[];
  readonly sha256: readonly string[];
}

export function encodeTable(table: DocumentTable | SourceTable): Buffer {
  return Buffer.from(`${JSON.stringify(table)}\n`);
}

// Checked by hand: the table is on the path of every start, and a schema library takes several times as long.
export function decodeDocuments(bytes: Buffer): DocumentTable {
  const { names, titles, headings } = parse(bytes, documentsFile);
  if (isList(names, isString) && isList(titles, isString) && isList(headings, isPath)) {
    if (names.length === titles.length) return { names, titles, headings };
  }
  throw corrupt(`${documentsFile} is not a document table`);
}

export function decodeSources(table: Buffer): SourceTable {
  const { bytes, sha256 } = parse(table, sourcesFile);
  if (isList(bytes, isSize) && isList(sha256, isString)) return { bytes, sha256 };
  throw corrupt(`${sourcesFile} is not a table of sources`);
}

function parse(bytes: Buffer, file: string): Record<string, unknown> {
  try {
    const table: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof table === 'object' && table !== null) return { ...table };
  } catch (cause) {
    throw corrupt(`${file} is not JSON`, cause);
  }
  throw corrupt(`${file} is not a table`);
}

function isList<T>(value: unknown, is: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isSize(value: unknown): value is number {
  return typeof value === 'number';
}

function isPath(value: unknown): value is string[] {
  return isList(value, isString);
}
