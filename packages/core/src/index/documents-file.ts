import { eventLoopTurns } from '../event-loop-turns.js';
import { corrupt } from './index-error.js';

export const documentsFile = 'documents.jsonl';
export const sourcesFile = 'sources.json';

const lineEnd = 0x0a;

/** Names and titles of the documents, and every heading path once; passages refer to both by place. */
interface DocumentLists {
  readonly names: readonly string[];
  readonly titles: readonly string[];
  readonly headings: readonly (readonly string[])[];
}

/** What each document was when it was baked, in the order of the table; only a check needs it. */
export interface SourceTable {
  readonly bytes: readonly number[];
  readonly sha256: readonly string[];
}

/** A line a document, its name and title, then a line a heading path. */
export function encodeDocuments({ names, titles, headings }: DocumentLists): Buffer {
  const documents = names.map((name, at) => [name, titles[at] ?? '']);
  const lines = [...documents, ...headings].map((line) => `${JSON.stringify(line)}\n`);
  return Buffer.from(lines.join(''));
}

export function encodeSources(sources: SourceTable): Buffer {
  return Buffer.from(`${JSON.stringify(sources)}\n`);
}

/**
 * The documents and headings of a generation. Lines are parsed when they are asked for: as strings, those of a large base
 * would slow every collection of garbage down.
 */
export class DocumentTable {
  readonly documents: number;
  readonly headings: number;
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;

  private constructor(bytes: Buffer, documents: number, ends: Uint32Array) {
    this.#bytes = bytes;
    this.#ends = ends;
    this.documents = documents;
    this.headings = ends.length - documents;
  }

  /** Throws `index-corrupt` when there are fewer lines than documents. */
  static async open(bytes: Buffer, documents: number): Promise<DocumentTable> {
    const turn = eventLoopTurns();
    const ends: number[] = [];
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, end + 1)) {
      if (ends.push(end) % 256 === 0) await turn();
    }
    if (documents > ends.length) throw corrupt(`${documentsFile} has too few documents`);
    return new DocumentTable(bytes, documents, Uint32Array.from(ends));
  }

  document(place: number): { readonly name: string; readonly title: string } {
    const [name, title] = this.#line(place);
    if (name === undefined || title === undefined || place >= this.documents)
      throw corrupt(`${documentsFile} has a line that is no document`);
    return { name, title };
  }

  heading(place: number): readonly string[] {
    return this.#line(this.documents + place);
  }

  #line(line: number): string[] {
    const from = line === 0 ? 0 : (this.#ends[line - 1] ?? 0) + 1;
    const value = parse(
      this.#bytes.toString('utf8', from, this.#ends[line] ?? from),
      documentsFile,
    );
    if (isList(value, isString)) return value;
    throw corrupt(`${documentsFile} has a line that is no list`);
  }
}

export function decodeSources(table: Buffer): SourceTable {
  const value = parse(table.toString('utf8'), sourcesFile);
  if (typeof value === 'object' && value !== null) {
    const [bytes, sha256]: unknown[] = [Reflect.get(value, 'bytes'), Reflect.get(value, 'sha256')];
    if (isList(bytes, isSize) && isList(sha256, isString)) return { bytes, sha256 };
  }
  throw corrupt(`${sourcesFile} is not a table of sources`);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw corrupt(`${file} is not JSON`, cause);
  }
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
