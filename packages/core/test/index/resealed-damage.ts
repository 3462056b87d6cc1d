import { keywordsFile } from '../../src/index/keyword-index.js';
import type { Manifest } from '../../src/index/manifest.js';
import { passagesTableFile, passagesTextFile } from '../../src/index/passages-file.js';
import type { SeededRandom } from '../support/seeded-random.js';

/** What a case changes: some files, and perhaps the counts that the manifest gives. */
export interface Damaged {
  readonly what: string;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly counts?: Partial<Manifest['counts']>;
}

type Files = ReadonlyMap<string, Buffer>;
type Make = (files: Files, random: SeededRandom) => Omit<Damaged, 'what'>;

const awkward = [
  0, 1, 2, 3, 0x7f, 0xff, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff,
];

/** Byte offsets of the arrays of keywords.bin, read from its head. */
export function keywordsLayout(
  bytes: Buffer,
): Record<'starts' | 'termStarts' | 'table' | 'norms' | 'ids' | 'frequencies' | 'text', Section> {
  const field = (at: number): number => bytes.readUInt32LE(at * 4);
  const [passages, terms, postings, slots, textLength, idWidth, frequencyWidth] = [
    2, 3, 4, 5, 6, 7, 8,
  ].map(field);
  let end = 40;
  const section = (count = 0, width = 1): Section => {
    const start = end;
    end += Math.ceil((count * width) / 8) * 8;
    return { start, count, width };
  };
  return {
    starts: section((terms ?? 0) + 1, 4),
    termStarts: section((terms ?? 0) + 1, 4),
    table: section(slots, 4),
    norms: section(passages, 4),
    ids: section(postings, idWidth),
    frequencies: section(postings, frequencyWidth),
    text: section(textLength),
  };
}

interface Section {
  readonly start: number;
  readonly count: number;
  readonly width: number;
}

/** Structures that lie, besides random bytes. */
export const structuralDamages: Readonly<Record<string, Make>> = {
  'a field of the keyword head': edited(keywordsFile, (bytes, random) =>
    write32(bytes, random.below(10) * 4, random),
  ),
  'a field of the keyword head, and counts that agree': (files, random) => {
    const at = random.pick([2, 3, 4]);
    const value = random.pick(awkward);
    const bytes = copyOf(files, keywordsFile);
    bytes.writeUInt32LE(value, at * 4);
    const name = at === 2 ? 'passages' : at === 3 ? 'terms' : 'postings';
    return { files: new Map([[keywordsFile, bytes]]), counts: { [name]: value } };
  },
  'an offset of the postings': edited(keywordsFile, (bytes, random) =>
    writeInto(bytes, keywordsLayout(bytes).starts, random),
  ),
  'an offset of the terms': edited(keywordsFile, (bytes, random) =>
    writeInto(bytes, keywordsLayout(bytes).termStarts, random),
  ),
  'all postings in one term': edited(keywordsFile, (bytes, random) =>
    squeeze(bytes, keywordsLayout(bytes).starts, random),
  ),
  'all letters in one term': edited(keywordsFile, (bytes, random) =>
    squeeze(bytes, keywordsLayout(bytes).termStarts, random),
  ),
  'a slot of the term table': edited(keywordsFile, (bytes, random) =>
    writeInto(bytes, keywordsLayout(bytes).table, random),
  ),
  'a full term table': edited(keywordsFile, (bytes, random) => {
    const { table, starts } = keywordsLayout(bytes);
    const value = 1 + random.below(starts.count - 1);
    fill(bytes, table, () => value);
  }),
  'a shuffled term table': edited(keywordsFile, (bytes, random) => {
    const { table } = keywordsLayout(bytes);
    const values = random.shuffle(
      Array.from({ length: table.count }, (_, at) => bytes.readUInt32LE(table.start + at * 4)),
    );
    fill(bytes, table, (at) => values[at] ?? 0);
  }),
  'an empty term table': edited(keywordsFile, (bytes) =>
    fill(bytes, keywordsLayout(bytes).table, () => 0),
  ),
  'a length that is no length': edited(keywordsFile, (bytes, random) => {
    const { norms } = keywordsLayout(bytes);
    const value = random.pick([
      0,
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      1e-45,
      3e38,
    ]);
    bytes.writeFloatLE(value, norms.start + random.below(norms.count) * 4);
  }),
  'passages that are not there': edited(keywordsFile, (bytes, random) => {
    const { ids } = keywordsLayout(bytes);
    const from = random.below(ids.count);
    for (let at = from; at < Math.min(ids.count, from + 300); at++)
      bytes.writeUInt16LE(random.pick([63, 64, 0x7fff, 0xffff]), ids.start + at * 2);
  }),
  'one passage over and over': edited(keywordsFile, (bytes, random) => {
    const { ids } = keywordsLayout(bytes);
    const value = random.below(63);
    for (let at = 0; at < ids.count; at++) bytes.writeUInt16LE(value, ids.start + at * 2);
  }),
  'frequencies of zero': edited(keywordsFile, (bytes, random) => {
    const { frequencies } = keywordsLayout(bytes);
    const share = random.pick([1, 2, 10]);
    for (let at = 0; at < frequencies.count; at += share) bytes[frequencies.start + at] = 0;
  }),
  'other letters': edited(keywordsFile, (bytes, random) => {
    const { text } = keywordsLayout(bytes);
    for (let time = 0; time < 40; time++)
      bytes[text.start + random.below(text.count)] = random.below(256);
  }),
  'a keyword index of nothing': (_files, random) => {
    const passages = random.pick([0, 1, 63]);
    const head = Uint32Array.of(
      0x31_4b_55_43,
      1,
      passages,
      0,
      0,
      random.pick([0, 1, 2]),
      0,
      2,
      1,
      0,
    );
    const rest = Buffer.alloc(8 + 8 + 8 + Math.ceil(passages / 2) * 8, random.pick([0, 0x3f]));
    return {
      files: new Map([[keywordsFile, Buffer.concat([Buffer.from(head.buffer), rest])]]),
      counts: { passages, terms: 0, postings: 0 },
    };
  },
  'a field of the passage head': edited(passagesTableFile, (bytes, random) =>
    write32(bytes, random.below(4) * 4, random),
  ),
  'a field of a passage': edited(passagesTableFile, (bytes, random) =>
    write32(bytes, record(bytes, random) + 16 + random.below(11) * 4, random),
  ),
  'a field of every passage': edited(passagesTableFile, (bytes, random) => {
    const field = 16 + random.below(12) * 4;
    const value = random.pick(awkward);
    for (let at = 16; at + 64 <= bytes.length; at += 64) bytes.writeUInt32LE(value, at + field);
  }),
  'kinds that do not exist': edited(passagesTableFile, (bytes, random) => {
    for (let at = 16; at + 64 <= bytes.length; at += 64)
      bytes[at + random.pick([62, 63])] = random.below(256);
  }),
  'another number of passages': (files, random) => {
    const table = files.get(passagesTableFile) ?? Buffer.alloc(0);
    const passages = random.below(63);
    const bytes = Buffer.from(table.subarray(0, 16 + passages * 64));
    bytes.writeUInt32LE(passages, 8);
    return {
      files: new Map([[passagesTableFile, bytes]]),
      counts: random.pick([{ passages }, {}]),
    };
  },
  'no text': () => ({ files: new Map([[passagesTextFile, Buffer.alloc(0)]]) }),
  'text that is not UTF-8': edited(
    passagesTextFile,
    (bytes, random) => void bytes.fill(random.pick([0x80, 0xff, 0xf0, 0xc0, 0x00])),
  ),
  'documents of another shape': (_files, random) => ({
    files: new Map([['documents.jsonl', Buffer.from(random.pick(documentTables))]]),
  }),
};

const documentTables = [
  '',
  '\n'.repeat(2_000),
  'null\n'.repeat(2_000),
  '{}\n'.repeat(2_000),
  '[]\n'.repeat(2_000),
  '["a"]\n'.repeat(2_000),
  '["a",1]\n'.repeat(2_000),
  '["/etc/../x",""]\n'.repeat(2_000),
  '["a","b"]\n'.repeat(2_000),
  '["a","b"]\n'.repeat(15),
  '["a","b","c"]\r\n'.repeat(2_000),
  '{"0":"a","1":"b","length":2}\n'.repeat(2_000),
  '['.repeat(200_000),
  `${'['.repeat(200_000)}\n`.repeat(20),
];

function edited(file: string, edit: (bytes: Buffer, random: SeededRandom) => void): Make {
  return (files, random) => {
    const bytes = copyOf(files, file);
    edit(bytes, random);
    return { files: new Map([[file, bytes]]) };
  };
}

function copyOf(files: Files, file: string): Buffer {
  return Buffer.from(files.get(file) ?? Buffer.alloc(0));
}

function write32(bytes: Buffer, at: number, random: SeededRandom): void {
  const value = random.pick([
    ...awkward,
    (bytes.readUInt32LE(at) + 1) % 0x1_0000_0000,
    random.below(bytes.length),
  ]);
  bytes.writeUInt32LE(value, at);
}

function writeInto(bytes: Buffer, section: Section, random: SeededRandom): void {
  for (let times = random.pick([1, 1, 8]); times > 0; times--)
    write32(bytes, section.start + random.below(section.count) * 4, random);
}

/** Keeps the offsets ascending, with everything between two of them. */
function squeeze(bytes: Buffer, section: Section, random: SeededRandom): void {
  const last = bytes.readUInt32LE(section.start + (section.count - 1) * 4);
  const edge = 1 + random.below(section.count - 1);
  fill(bytes, section, (at) => (at < edge ? 0 : last));
}

function fill(bytes: Buffer, section: Section, value: (at: number) => number): void {
  for (let at = 0; at < section.count; at++) bytes.writeUInt32LE(value(at), section.start + at * 4);
}

function record(bytes: Buffer, random: SeededRandom): number {
  return 16 + 64 * random.below((bytes.length - 16) / 64);
}
