import type { Manifest } from '../../src/index/manifest.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { type VectorLayout, vectorLayout } from './vector-layout.js';

/** What a case makes of the vector file, and perhaps what the manifest says of it. */
export interface DamagedVectors {
  readonly bytes: Buffer;
  readonly counts?: Partial<Manifest['counts']>;
  readonly dimensions?: number;
}

type Make = (intact: Buffer, random: SeededRandom) => DamagedVectors;
type Edit = (bytes: Buffer, layout: VectorLayout, random: SeededRandom) => void;

const awkward32 = [0, 1, 2, 3, 0x7f, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];
const awkward64 = [
  ...awkward32.map(BigInt),
  0x1_0000_0000n,
  0x7fff_ffff_ffff_ffffn,
  0x8000_0000_0000_0000n,
  0xffff_ffff_ffff_ffffn,
];
const awkward16 = [-1, 0, 1, 2, 3, 7, 100, 0x7fff, -0x8000];
const oddHalves = [0x7e00, 0xfe00, 0x7c01, 0x7c00, 0xfc00, 0x0000, 0x8000, 0x0001, 0x7bff];

/** Vector files that lie, besides random bytes. */
export const vectorDamages: Readonly<Record<string, Make>> = {
  'another number of rows': edited((bytes, _layout, random) => write32(bytes, 0, random)),
  'another size of a row': edited((bytes, _layout, random) => write32(bytes, 4, random)),
  'rows of nothing': edited((bytes, _layout, random) => {
    bytes.writeUInt32LE(random.pick(awkward32), 0);
    bytes.writeUInt32LE(0, 4);
  }),
  'another name in the head': edited((bytes, { head }, random) => {
    bytes[head + random.below(7)] = random.below(256);
  }),
  'another version': edited((bytes, { head }, random) =>
    bytes.writeUInt16LE(random.pick([0, 1, 2, 3, 0xffff]), head + 7 + 2 * random.below(3)),
  ),
  'another metric or kind of number': edited((bytes, { head }, random) => {
    bytes[head + 13 + random.below(4)] = random.pick([0, 1, 4, 5, 10, 11, 12, 14, 15, 23, 255]);
  }),
  'other counts in the head': edited((bytes, { head }, random) =>
    write64(bytes, head + 17 + 8 * random.below(3), random),
  ),
  'several vectors a key': edited((bytes, { head }, random) => {
    bytes[head + 41] = random.pick([1, 2, 255]);
  }),
  'noise in the unused part of the head': edited((bytes, { head }, random) => {
    for (let at = head + 42; at < head + 64; at++) bytes[at] = random.below(256);
  }),
  'a field of the graph head': edited((bytes, { graph }, random) =>
    write64(bytes, graph + 8 * random.below(5), random),
  ),
  'another entry': edited((bytes, { graph, rows }, random) =>
    bytes.writeBigUInt64LE(BigInt(random.below(rows)), graph + 32),
  ),
  'another highest level and entry': edited((bytes, { graph, rows }, random) => {
    bytes.writeBigUInt64LE(BigInt(random.below(4)), graph + 24);
    bytes.writeBigUInt64LE(BigInt(random.below(rows)), graph + 32);
  }),
  'other levels': edited((bytes, { levels, rows }, random) => {
    for (let times = random.pick([1, 1, 8, 60]); times > 0; times--)
      bytes.writeInt16LE(random.pick(awkward16), levels + 2 * random.below(rows));
  }),
  'levels exchanged': edited((bytes, { levels, rows }, random) => {
    const [first, second] = [levels + 2 * random.below(rows), levels + 2 * random.below(rows)];
    const level = bytes.readInt16LE(first);
    bytes.writeInt16LE(bytes.readInt16LE(second), first);
    bytes.writeInt16LE(level, second);
  }),
  'other levels in the nodes': edited((bytes, { nodes }, random) =>
    bytes.writeInt16LE(random.pick(awkward16), random.pick(nodes).start + 8),
  ),
  'other keys': edited((bytes, { nodes }, random) => {
    for (let times = random.pick([1, 2, 60]); times > 0; times--)
      write64(bytes, random.pick(nodes).start, random);
  }),
  'keys exchanged': edited((bytes, { nodes }, random) => {
    const [first, second] = [random.pick(nodes), random.pick(nodes)];
    const key = bytes.readBigUInt64LE(first.start);
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(second.start), first.start);
    bytes.writeBigUInt64LE(key, second.start);
  }),
  'other numbers of neighbours': edited((bytes, layout, random) => {
    const list = random.pick(random.pick(layout.nodes).lists);
    bytes.writeUInt32LE(random.pick([...awkward32, 15, 16, 17, 31, 32, 33]), list.start);
  }),
  'neighbours that are not there': edited((bytes, layout, random) => {
    for (let times = random.pick([1, 4, 200]); times > 0; times--)
      writeNeighbour(bytes, layout, random, random.pick([...awkward32, layout.rows]));
  }),
  'other neighbours': edited((bytes, layout, random) => {
    for (let times = random.pick([1, 50, 2_000]); times > 0; times--)
      writeNeighbour(bytes, layout, random, random.below(layout.rows));
  }),
  'nodes that know only themselves, or nobody': edited((bytes, { nodes }, random) => {
    const count = random.pick([0, 1, 16]);
    nodes.forEach(({ lists }, row) => {
      for (const { start } of lists) {
        bytes.writeUInt32LE(count, start);
        for (let cell = 1; cell <= count; cell++) bytes.writeUInt32LE(row, start + 4 * cell);
      }
    });
  }),
  'neighbours on levels that they do not have': edited((bytes, { nodes, rows }, random) => {
    const tall = nodes.flatMap(({ lists }) => lists.slice(1));
    for (const { start, room } of tall) {
      bytes.writeUInt32LE(room, start);
      for (let cell = 1; cell <= room; cell++)
        bytes.writeUInt32LE(random.below(rows), start + 4 * cell);
    }
  }),
  'rows that are no vectors': edited((bytes, { rows, rowSize, dimensions }, random) => {
    const value = random.pick(oddHalves);
    for (let times = random.pick([1, 10, 300]); times > 0; times--) {
      const row = 8 + random.below(rows) * rowSize;
      const from = random.pick([0, dimensions - 1]);
      for (let at = from; at < dimensions; at++) bytes.writeUInt16LE(value, row + at * 2);
    }
  }),
  'all rows alike': edited((bytes, { rows, rowSize }, random) => {
    const from = 8 + random.below(rows) * rowSize;
    for (let row = 0; row < rows; row++) bytes.copy(bytes, 8 + row * rowSize, from, from + rowSize);
  }),
  'a graph cut off': (intact, random) => {
    const { graph } = vectorLayout(intact);
    return { bytes: intact.subarray(0, graph + random.below(intact.length - graph)) };
  },
  'a graph that goes on': (intact, random) => {
    const more = Buffer.alloc(random.pick([1, 2, 4, 142, 4_096]), random.below(256));
    return { bytes: Buffer.concat([intact, more]) };
  },
  'fewer rows everywhere': (intact, random) => {
    const { rows } = vectorLayout(intact);
    const passages = random.below(rows);
    return { bytes: withRows(intact, passages), counts: random.pick([{ passages }, {}]) };
  },
  'other dimensions in the manifest': (intact, random) => {
    const dimensions = random.pick([0, 1, 32, 63, 65, 128, 4_096, 2 ** 31, 2 ** 52]);
    return { bytes: intact, dimensions };
  },
  'other dimensions everywhere': (intact, random) => {
    const dimensions = random.pick([0, 1, 2, 32, 128, 0x7fff_ffff]);
    const { head, rowSize, rows } = vectorLayout(intact);
    const bytes = Buffer.concat([
      intact.subarray(0, 8),
      Buffer.alloc(dimensions > 4_096 ? rowSize : dimensions * 2 * rows, 0x3c),
      intact.subarray(head),
    ]);
    bytes.writeUInt32LE((dimensions * 2) % 0x1_0000_0000, 4);
    if (dimensions <= 4_096)
      bytes.writeBigUInt64LE(BigInt(dimensions), 8 + dimensions * 2 * rows + 33);
    return { bytes, dimensions };
  },
};

function edited(edit: Edit): Make {
  return (intact, random) => {
    const bytes = Buffer.from(intact);
    edit(bytes, vectorLayout(intact), random);
    return { bytes };
  };
}

function write32(bytes: Buffer, at: number, random: SeededRandom): void {
  const near = (bytes.readUInt32LE(at) + random.pick([-1, 1])) >>> 0;
  bytes.writeUInt32LE(random.pick([...awkward32, near, random.below(bytes.length)]), at);
}

function write64(bytes: Buffer, at: number, random: SeededRandom): void {
  const near = BigInt.asUintN(64, bytes.readBigUInt64LE(at) + random.pick([-1n, 1n]));
  bytes.writeBigUInt64LE(random.pick([...awkward64, near]), at);
}

function writeNeighbour(
  bytes: Buffer,
  { nodes }: VectorLayout,
  random: SeededRandom,
  neighbour: number,
): void {
  const { start, room } = random.pick(random.pick(nodes).lists);
  bytes.writeUInt32LE(neighbour, start + 4 * (1 + random.below(room)));
}

/** A file of the first rows, all of its sizes right, with neighbours that may be beyond its end. */
function withRows(intact: Buffer, rows: number): Buffer {
  const { head, graph, levels, nodes, rowSize } = vectorLayout(intact);
  const heads = Buffer.from(intact.subarray(head, levels));
  heads.writeBigUInt64LE(BigInt(rows), 17);
  heads.writeBigUInt64LE(BigInt(rows), graph - head);
  const first = nodes[0]?.start ?? intact.length;
  const bytes = Buffer.concat([
    intact.subarray(0, 8 + rows * rowSize),
    heads,
    intact.subarray(levels, levels + 2 * rows),
    intact.subarray(first, nodes[rows]?.start ?? intact.length),
  ]);
  bytes.writeUInt32LE(rows, 0);
  return bytes;
}
