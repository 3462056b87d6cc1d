import { createHash } from 'node:crypto';

import type { BlockKind, Position } from '../documents/source.js';
import { KnowledgeError } from '../errors.js';
import { eventLoopTurns } from '../event-loop-turns.js';
import type { Passage } from '../passages/passage.js';
import type { Artefact } from './artefact.js';
import { corrupt } from './index-error.js';

export const passagesTextFile = 'passages.bin';
export const passagesTableFile = 'passages.idx';

/*
 * passages.bin: UTF-8 text, one after another, found through passages.idx.
 * passages.idx: a 16-byte head (u32 magic, version, count, record size), then a record a passage, little-endian:
 *   0 digest of the indexed text (16 bytes of its SHA-256)   16 document   20 heading path
 *   24 text offset, length   32 raw offset, length   40 question offset, length
 *   48 position start, end   56 tokens (u32)   60 overlap (u16)   62 kind (u8)   63 position kind (u8)
 */
const magic = 0x31_50_55_43;
const version = 1;
const headSize = 16;
const recordSize = 64;
const checkedAtOnce = 2_048;
const digestSize = 16;
const kinds: readonly BlockKind[] = ['prose', 'list', 'table', 'code', 'question', 'transcript'];
const positions = ['none', 'page', 'time'] as const;

/** What is known of a passage without reading its text. */
export interface PassageRecord {
  readonly id: number;
  readonly kind: BlockKind;
  readonly document: number;
  /** Place of its heading path in the document table. */
  readonly heading: number;
  readonly position: Position | undefined;
  readonly tokens: number;
  /** Characters at the beginning of the text that repeat the end of the passage before. */
  readonly overlap: number;
}

/** A passage and what the index keeps of it besides. */
export interface IndexedPassage {
  readonly passage: Passage;
  readonly heading: number;
  readonly indexed: string;
}

/** What a passage is known by from bake to bake: the first half of the SHA-256 of its indexed text. */
export function passageDigest(indexed: string): Buffer {
  return createHash('sha256').update(indexed).digest().subarray(0, digestSize);
}

/** Both files' bytes. */
export async function encodePassages(
  passages: readonly IndexedPassage[],
): Promise<{ text: Buffer; table: Buffer }> {
  const turn = eventLoopTurns();
  const texts: Buffer[] = [];
  let end = 0;
  const put = (text: string): [number, number] => {
    const bytes = Buffer.from(text);
    texts.push(bytes);
    end += bytes.length;
    if (end > 0xffff_ffff)
      throw new KnowledgeError({
        code: 'index-unwritable',
        message: 'the passages exceed 4 GB; split the base.',
      });
    return [end - bytes.length, bytes.length];
  };
  const table = Buffer.alloc(headSize + recordSize * passages.length);
  [magic, version, passages.length, recordSize].forEach((value, at) =>
    table.writeUInt32LE(value, at * 4),
  );
  for (const [id, indexed] of passages.entries()) {
    writeRecord(table, headSize + recordSize * id, indexed, put);
    await turn();
  }
  const text = Buffer.allocUnsafeSlow(end);
  let at = 0;
  for (const bytes of texts) {
    at += bytes.copy(text, at);
    await turn();
  }
  return { text, table };
}

function writeRecord(
  table: Buffer,
  at: number,
  { passage, heading, indexed }: IndexedPassage,
  put: (text: string) => [number, number],
): void {
  const text = put(passage.text);
  const raw = passage.raw === passage.text ? text : put(passage.raw);
  const { position } = passage;
  passageDigest(indexed).copy(table, at);
  const fields = [
    passage.document,
    heading,
    ...text,
    ...raw,
    ...put(passage.question),
    position?.start ?? 0,
    position?.end ?? 0,
    passage.tokens,
  ];
  fields.forEach((value, field) => table.writeUInt32LE(value, at + 16 + field * 4));
  table.writeUInt16LE(Math.min(passage.overlap, 0xffff), at + 60);
  table.writeUInt8(kinds.indexOf(passage.kind), at + 62);
  table.writeUInt8(positions.indexOf(position?.kind ?? 'none'), at + 63);
}

/** Digests of all passages of a table, in hex and in order. Throws `index-corrupt`. */
export function passageDigests(table: Buffer): string[] {
  const { count, bytes } = openTable(table);
  return Array.from({ length: count }, (_, id) => {
    const at = headSize + recordSize * id;
    return bytes.toString('hex', at, at + digestSize);
  });
}

function openTable(table: Buffer): { count: number; bytes: Buffer; fields: Uint32Array } {
  if (table.length < headSize || table.length % 4 !== 0)
    throw corrupt(`${passagesTableFile} is too short`);
  const bytes = table.byteOffset % 4 === 0 ? table : Buffer.from(Uint8Array.from(table).buffer);
  const fields = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const [kind, release, count = 0, size] = fields;
  if (kind !== magic || release !== version || size !== recordSize)
    throw corrupt(`${passagesTableFile} is not a passage table`);
  if (bytes.length !== headSize + recordSize * count)
    throw corrupt(`${passagesTableFile} has another number of records`);
  return { count, bytes, fields };
}

/** Passages of a generation: the table is held, texts are read one at a time. */
export class PassagesFile {
  readonly count: number;
  readonly #text: Artefact;
  readonly #bytes: Buffer;
  /** The same bytes by field. */
  readonly #fields: Uint32Array;

  constructor(text: Artefact, table: Buffer) {
    const { count, bytes, fields } = openTable(table);
    this.count = count;
    this.#text = text;
    this.#bytes = bytes;
    this.#fields = fields;
  }

  /** Throws unless every record stays inside the texts and inside tables of these lengths. */
  async check(documents: number, headings: number): Promise<void> {
    const turn = eventLoopTurns();
    for (let from = 0; from < this.count; from += checkedAtOnce) {
      const to = Math.min(this.count, from + checkedAtOnce);
      if (!this.#areSound(from, to, documents, headings))
        throw corrupt(`${passagesTableFile} has a record that cannot be`);
      await turn();
    }
  }

  /** Fields are read without a call for each: this runs over all records at every start. */
  #areSound(from: number, to: number, documents: number, headings: number): boolean {
    const fields = this.#fields;
    const bytes = this.#bytes;
    const { size } = this.#text;
    const field = (at: number): number => fields[at] ?? 0;
    for (let id = from; id < to; id++) {
      const byte = headSize + recordSize * id;
      const at = byte >> 2;
      const inside =
        field(at + 6) + field(at + 7) <= size &&
        field(at + 8) + field(at + 9) <= size &&
        field(at + 10) + field(at + 11) <= size;
      const known =
        field(at + 4) < documents &&
        field(at + 5) < headings &&
        (bytes[byte + 62] ?? 0) < kinds.length &&
        (bytes[byte + 63] ?? 0) < positions.length;
      if (!inside || !known) return false;
    }
    return true;
  }

  record(id: number): PassageRecord {
    if (!(id < this.count)) throw corrupt('a passage is not there');
    const at = headSize + recordSize * id;
    const position = positions[this.#bytes[at + 63] ?? 0] ?? 'none';
    const [start, end] = [this.#field(at + 48), this.#field(at + 52)];
    return {
      id,
      kind: kinds[this.#bytes[at + 62] ?? 0] ?? 'prose',
      document: this.#field(at + 16),
      heading: this.#field(at + 20),
      position: position === 'none' ? undefined : { kind: position, start, end },
      tokens: this.#field(at + 56),
      overlap: this.#field(at + 60) & 0xffff,
    };
  }

  text(id: number): string {
    return this.#read(id, 24);
  }

  /** The passage as it stands in the document. */
  raw(id: number): string {
    return this.#read(id, 32);
  }

  #read(id: number, slice: number): string {
    const at = headSize + recordSize * id + slice;
    return this.#text.text(this.#field(at), this.#field(at + 4));
  }

  #field(at: number): number {
    return this.#fields[at >> 2] ?? 0;
  }
}
