import { createHash } from 'node:crypto';

import type { BlockKind, Position } from '../documents/source.js';
import { KnowledgeError } from '../errors.js';
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

/** Both files' bytes. */
export function encodePassages(passages: readonly IndexedPassage[]): {
  text: Buffer;
  table: Buffer;
} {
  const texts: Buffer[] = [];
  let end = 0;
  const put = (text: string): [number, number] => {
    const bytes = Buffer.from(text);
    texts.push(bytes);
    end += bytes.length;
    return [end - bytes.length, bytes.length];
  };
  const table = Buffer.alloc(headSize + recordSize * passages.length);
  [magic, version, passages.length, recordSize].forEach((value, at) =>
    table.writeUInt32LE(value, at * 4),
  );
  passages.forEach(({ passage, heading, indexed }, id) => {
    const at = headSize + recordSize * id;
    const text = put(passage.text);
    const raw = passage.raw === passage.text ? text : put(passage.raw);
    const { position } = passage;
    createHash('sha256').update(indexed).digest().copy(table, at, 0, 16);
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
    if (end > 0xffff_ffff)
      throw new KnowledgeError({
        code: 'index-unwritable',
        message: 'the passages exceed 4 GB; split the base.',
      });
    fields.forEach((value, field) => table.writeUInt32LE(value, at + 16 + field * 4));
    table.writeUInt16LE(Math.min(passage.overlap, 0xffff), at + 60);
    table.writeUInt8(kinds.indexOf(passage.kind), at + 62);
    table.writeUInt8(positions.indexOf(position?.kind ?? 'none'), at + 63);
  });
  return { text: Buffer.concat(texts), table };
}

/** Passages of a generation: the table is held, texts are read one at a time. */
export class PassagesFile {
  readonly count: number;
  readonly #text: Artefact;
  readonly #bytes: Buffer;
  /** The same bytes by field. */
  readonly #fields: Uint32Array;

  constructor(text: Artefact, table: Buffer) {
    if (table.length < headSize || table.length % 4 !== 0)
      throw corrupt(`${passagesTableFile} is too short`);
    const bytes = table.byteOffset % 4 === 0 ? table : Buffer.from(Uint8Array.from(table).buffer);
    const fields = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const [kind, release, count = 0, size] = fields;
    if (kind !== magic || release !== version || size !== recordSize)
      throw corrupt(`${passagesTableFile} is not a passage table`);
    if (bytes.length !== headSize + recordSize * count)
      throw corrupt(`${passagesTableFile} has another number of records`);
    this.count = count;
    this.#text = text;
    this.#bytes = bytes;
    this.#fields = fields;
  }

  /** Throws unless every record stays inside the texts and inside tables of these lengths. */
  check(documents: number, headings: number): void {
    const { size } = this.#text;
    for (let id = 0; id < this.count; id++) {
      const at = headSize + recordSize * id;
      const inside =
        this.#field(at + 24) + this.#field(at + 28) <= size &&
        this.#field(at + 32) + this.#field(at + 36) <= size &&
        this.#field(at + 40) + this.#field(at + 44) <= size;
      const known =
        this.#field(at + 16) < documents &&
        this.#field(at + 20) < headings &&
        (this.#bytes[at + 62] ?? 0) < kinds.length &&
        (this.#bytes[at + 63] ?? 0) < positions.length;
      if (!inside || !known) throw corrupt(`${passagesTableFile} has a record that cannot be`);
    }
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
