/** Where the parts of a vector file begin, and what its rows and nodes are. */
export interface VectorLayout {
  readonly rows: number;
  readonly dimensions: number;
  readonly rowSize: number;
  readonly head: number;
  readonly graph: number;
  readonly levels: number;
  /** In row order; `lists` are the neighbour lists from level 0 up. */
  readonly nodes: readonly {
    readonly start: number;
    readonly level: number;
    readonly lists: readonly NeighbourList[];
  }[];
}

interface NeighbourList {
  readonly start: number;
  /** How many neighbours fit. */
  readonly room: number;
}

const roomAtBottom = 32;
const roomAbove = 16;

/** Reads the layout of an intact file. */
export function vectorLayout(bytes: Buffer): VectorLayout {
  const [rows, rowSize] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  const head = 8 + rows * rowSize;
  const graph = head + 64;
  const levels = graph + 40;
  let at = levels + rows * 2;
  const nodes = Array.from({ length: rows }, (_, row) => {
    const start = at;
    const level = bytes.readInt16LE(levels + row * 2);
    at += 10;
    const lists = Array.from({ length: level + 1 }, (_list, floor): NeighbourList => {
      const room = floor === 0 ? roomAtBottom : roomAbove;
      const list = { start: at, room };
      at += 4 * (room + 1);
      return list;
    });
    return { start, level, lists };
  });
  return { rows, dimensions: rowSize / 2, rowSize, head, graph, levels, nodes };
}
