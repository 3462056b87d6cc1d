import { eventLoopTurns } from '../event-loop-turns.js';
import { corrupt } from './index-error.js';

export const keywordsFile = 'keywords.bin';

/*
 * keywords.bin, little-endian, each array padded to 8 bytes:
 *   head: u32 magic, version, passages, terms, postings, table size, term bytes, id width, frequency width, 0
 *   u32 starts[terms + 1]        first posting of each term
 *   u32 termStarts[terms + 1]    first byte of each term
 *   u32 table[table size]        open addressing: term number + 1, 0 empty
 *   f32 norms[passages]          k1·(1 − b + b·length / mean length)
 *   u16|u32 ids[postings], u8|u16 frequencies[postings], u8 terms[term bytes]
 */
const magic = 0x31_4b_55_43;
const version = 1;
const headFields = 10;

/** BM25's saturation and length normalisation, at the values of Robertson and Zaragoza (2009) that Lucene ships. */
export const k1 = 1.2;
const b = 0.75;

/** One term's passages, ascending, and how often each has it. */
export interface TermPostings {
  readonly term: string;
  readonly passages: readonly number[];
  readonly frequencies: readonly number[];
}

/** Packed postings, ready to be searched; everything is a view of one buffer. */
export interface KeywordIndex {
  readonly passages: number;
  readonly terms: number;
  readonly starts: Uint32Array;
  readonly norms: Float32Array;
  readonly ids: Uint16Array | Uint32Array;
  readonly frequencies: Uint8Array | Uint16Array;
  /** Number of a term, or -1. */
  find(term: string): number;
}

/** Packs postings; `terms` are sorted, `lengths` are the passages' lengths in terms. */
export async function encodeKeywords(
  terms: readonly TermPostings[],
  lengths: Uint32Array,
): Promise<Buffer> {
  const turn = eventLoopTurns();
  const starts = new Uint32Array(terms.length + 1);
  const termStarts = new Uint32Array(terms.length + 1);
  let frequencyWidth = 1;
  for (const [at, { term, passages, frequencies }] of terms.entries()) {
    starts[at + 1] = (starts[at] ?? 0) + passages.length;
    termStarts[at + 1] = (termStarts[at] ?? 0) + Buffer.byteLength(term);
    if (frequencies.some((count) => count > 0xff)) frequencyWidth = 2;
    await turn();
  }
  const postings = starts.at(-1) ?? 0;
  const idWidth = lengths.length <= 0x1_0000 ? 2 : 4;
  const ids = idWidth === 2 ? new Uint16Array(postings) : new Uint32Array(postings);
  const frequencies = frequencyWidth === 1 ? new Uint8Array(postings) : new Uint16Array(postings);
  const text = Buffer.alloc(termStarts.at(-1) ?? 0);
  for (const [at, { term, ...posting }] of terms.entries()) {
    ids.set(posting.passages, starts[at]);
    const counts = posting.frequencies.map((count) => Math.min(count, 0xffff));
    frequencies.set(counts, starts[at]);
    text.write(term, termStarts[at] ?? 0);
    await turn();
  }
  const table = await hashTable(terms);
  const head = Uint32Array.of(
    magic,
    version,
    lengths.length,
    terms.length,
    postings,
    table.length,
    text.length,
    idWidth,
    frequencyWidth,
    0,
  );
  return Buffer.concat(
    [head, starts, termStarts, table, toNorms(lengths), ids, frequencies, text].flatMap(padded),
  );
}

/** Reads packed postings; every size and offset is checked here so that a search need not. */
export function decodeKeywords(bytes: Buffer): KeywordIndex {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  const reader = new ArrayReader(aligned);
  const [
    kind,
    release,
    passages = 0,
    terms = 0,
    postings = 0,
    slots = 0,
    textLength = 0,
    idWidth,
    frequencyWidth,
  ] = reader.take(Uint32Array, headFields);
  if (kind !== magic || release !== version)
    throw corrupt(`${keywordsFile} is not a keyword index`);
  if ((slots & (slots - 1)) !== 0 || slots <= terms)
    throw corrupt(`${keywordsFile} has a bad term table`);
  const starts = reader.take(Uint32Array, terms + 1);
  const termStarts = reader.take(Uint32Array, terms + 1);
  const table = reader.take(Uint32Array, slots);
  const norms = reader.take(Float32Array, passages);
  const ids =
    idWidth === 2 ? reader.take(Uint16Array, postings) : reader.take(Uint32Array, postings);
  const frequencies =
    frequencyWidth === 1 ? reader.take(Uint8Array, postings) : reader.take(Uint16Array, postings);
  const text = Buffer.from(
    reader.take(Uint8Array, textLength).buffer,
    aligned.byteOffset + reader.last,
    textLength,
  );
  reader.finish();
  if (!ascends(starts, postings) || !ascends(termStarts, textLength))
    throw corrupt(`${keywordsFile} has offsets out of order`);
  if (!positive(norms)) throw corrupt(`${keywordsFile} has a bad passage length`);
  const mask = slots - 1;
  const find = (term: string): number => {
    let slot = hash(term) & mask;
    for (let probe = 0; probe < slots; probe++) {
      const entry = table[slot];
      if (!entry || entry > terms) return -1;
      if (isTerm(text, termStarts[entry - 1] ?? 0, termStarts[entry] ?? 0, term)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    return -1;
  };
  return { passages, terms, starts, norms, ids, frequencies, find };
}

/** Compares byte by byte, most terms being ASCII; in a damaged file every slot may lead to one long term, so nothing else is decoded. */
function isTerm(text: Buffer, from: number, to: number, term: string): boolean {
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at);
    if (code > 0x7f) {
      return to - from === Buffer.byteLength(term) && text.toString('utf8', from, to) === term;
    }
    if (from + at >= to || text[from + at] !== code) return false;
  }
  return from + term.length === to;
}

function toNorms(lengths: Uint32Array): Float32Array {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  return Float32Array.from(lengths, (length) => k1 * (1 - b + (b * length) / mean));
}

async function hashTable(terms: readonly TermPostings[]): Promise<Uint32Array> {
  let slots = 2;
  while (slots < terms.length * 1.6 + 1) slots *= 2;
  const table = new Uint32Array(slots);
  const turn = eventLoopTurns();
  for (const [number, { term }] of terms.entries()) {
    let slot = hash(term) & (slots - 1);
    while (table[slot] !== 0) slot = (slot + 1) & (slots - 1);
    table[slot] = number + 1;
    await turn();
  }
  return table;
}

/** FNV-1a over UTF-16 code units (Fowler, Noll, Vo), its bits mixed once more because the table uses the low ones. */
function hash(term: string): number {
  let value = 0x811c_9dc5;
  for (let at = 0; at < term.length; at++)
    value = Math.imul(value ^ term.charCodeAt(at), 0x0100_0193);
  value ^= value >>> 16;
  return (Math.imul(value, 0x45d9_f3b) >>> 8) >>> 0;
}

// Plain loops: a callback for each of a million numbers would be a part of every start that can be felt.
function ascends(values: Uint32Array, last: number): boolean {
  let before = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value < before) return false;
    before = value;
  }
  return values[0] === 0 && before === last;
}

function positive(values: Float32Array): boolean {
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (!(value > 0 && value < Number.POSITIVE_INFINITY)) return false;
  }
  return true;
}

function padded(array: ArrayBufferView): Buffer[] {
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  return [bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)];
}

type TypedArray<T> = {
  new (buffer: ArrayBufferLike, offset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
};

class ArrayReader {
  /** Where the array taken last begins. */
  last = 0;
  #next = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  take<T>(type: TypedArray<T>, length: number): T {
    const size = type.BYTES_PER_ELEMENT * length;
    if (this.#next + size > this.#bytes.length) throw corrupt(`${keywordsFile} is too short`);
    this.last = this.#next;
    this.#next += size + ((8 - (size % 8)) % 8);
    return new type(this.#bytes.buffer, this.#bytes.byteOffset + this.last, length);
  }

  finish(): void {
    if (this.#next !== this.#bytes.length) throw corrupt(`${keywordsFile} is too long`);
  }
}
