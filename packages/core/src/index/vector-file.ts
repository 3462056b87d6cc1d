import { eventLoopTurns } from '../event-loop-turns.js';
import type { Artefact } from './artefact.js';
import { corrupt } from './index-error.js';

export const vectorsFile = 'vectors.usearch';

/*
 * usearch's own file, as its version 2 writes it with f16 vectors, cosine and keys 0..n-1, little-endian:
 *   u32 rows, u32 bytes a row, rows × f16[dimensions]
 *   64-byte head: "usearch", u16 version × 3, u8 metric 'c', u8 scalar 12 (f16), u8 key 14 (u64), u8 slot 15 (u32),
 *     u64 present, u64 deleted, u64 dimensions, u8 multi
 *   40-byte graph head: u64 size, connectivity, base connectivity, highest level, entry slot
 *   i16 levels[rows], then a node a row: u64 key, i16 level, for each level from 0 u32 count and its u32 neighbours
 */
const matrixHead = 8;
const headSize = 64;
const graphHeadSize = 40;
const nodeHeadSize = 10;
const kinds = Buffer.from([0x63, 12, 14, 15]);
export const connectivity = 16;
const baseConnectivity = 2 * connectivity;
const nodesAtOnce = 512;

/** What a checked vector file holds, and its rows by slice. */
export interface VectorFile {
  readonly rows: number;
  readonly dimensions: number;
  /** Row `passage` as stored, f16 widened. */
  row(passage: number): Float32Array;
  /** All rows' bytes: f16, row after row. */
  matrix(from: number, to: number): Buffer;
}

/**
 * Reads a vector file after checking everything that usearch would follow blindly: it crashes or loops on
 * a damaged head or graph. Throws `index-corrupt`.
 */
export async function openVectorFile(artefact: Artefact, dimensions: number): Promise<VectorFile> {
  if (artefact.size < matrixHead + headSize + graphHeadSize) throw bad('no head');
  const matrix = artefact.read(0, matrixHead);
  const rows = matrix.readUInt32LE(0);
  const rowSize = matrix.readUInt32LE(4);
  const headAt = matrixHead + rows * rowSize;
  if (
    rowSize === 0 ||
    rowSize !== dimensions * 2 ||
    headAt + headSize + graphHeadSize > artefact.size
  )
    throw bad('rows of another size');
  const head = artefact.read(headAt, headSize);
  const present = head.readBigUInt64LE(17);
  const known =
    head.toString('latin1', 0, 7) === 'usearch' &&
    head.readUInt16LE(7) === 2 &&
    kinds.equals(head.subarray(13, 17));
  const sizes =
    present === BigInt(rows) &&
    head.readBigUInt64LE(25) === 0n &&
    head.readBigUInt64LE(33) === BigInt(dimensions);
  if (!known || !sizes || head.readUInt8(41) !== 0) throw bad('an unknown head');
  await checkGraph(artefact, headAt + headSize, rows);
  const read = (from: number, to: number): Buffer =>
    artefact.read(matrixHead + from * rowSize, (to - from) * rowSize);
  return { rows, dimensions, matrix: read, row: (passage) => widen(read(passage, passage + 1)) };
}

async function checkGraph(artefact: Artefact, graphAt: number, rows: number): Promise<void> {
  const head = artefact.read(graphAt, graphHeadSize);
  const [size, links, baseLinks, highest = -1, entry = -1] = [0, 8, 16, 24, 32].map((at) =>
    Number(head.readBigUInt64LE(at)),
  );
  const fits = size === rows && links === connectivity && baseLinks === baseConnectivity;
  let at = graphAt + graphHeadSize + rows * 2;
  if (!fits || at > artefact.size || (rows > 0 && entry >= rows)) throw bad('an unknown graph');
  const levels = new Int16Array(rows);
  artefact.read(graphAt + graphHeadSize, rows * 2).copy(Buffer.from(levels.buffer));
  if (rows > 0 && levels[entry] !== highest) throw bad('no entry');
  const turn = eventLoopTurns();
  for (let row = 0; row < rows; row += nodesAtOnce) {
    const end = Math.min(rows, row + nodesAtOnce);
    const length = lengthOfNodes(levels.subarray(row, end), highest);
    if (at + length > artefact.size) throw bad('a graph of another size');
    checkNodes(artefact.read(at, length), row, end, levels);
    at += length;
    await turn();
  }
  if (at !== artefact.size) throw bad('bytes beyond its end');
}

function lengthOfNodes(levels: Int16Array, highest: number): number {
  let length = 0;
  for (const level of levels) {
    if (level < 0 || level > highest) throw bad('a graph of another size');
    length += nodeHeadSize + 4 * (baseConnectivity + 1) + level * 4 * (connectivity + 1);
  }
  return length;
}

function checkNodes(nodes: Buffer, first: number, end: number, levels: Int16Array): void {
  const cells = [baseConnectivity, connectivity];
  let at = 0;
  for (let row = first; row < end; row++) {
    const level = levels[row] ?? 0;
    const isOurs = nodes.readUInt32LE(at) === row && nodes.readUInt32LE(at + 4) === 0;
    if (!isOurs || nodes.readInt16LE(at + 8) !== level) throw bad('nodes out of order');
    at += nodeHeadSize;
    for (let floor = 0; floor <= level; floor++) {
      const room = cells[Math.min(floor, 1)] ?? 0;
      const count = nodes.readUInt32LE(at);
      if (count > room) throw bad('too many neighbours');
      for (let cell = 1; cell <= count; cell++) {
        const neighbour = nodes.readUInt32LE(at + cell * 4);
        if (neighbour >= levels.length || (levels[neighbour] ?? -1) < floor)
          throw bad('a neighbour that is not there');
      }
      at += 4 * (room + 1);
    }
  }
}

function bad(what: string): Error {
  return corrupt(`${vectorsFile} has ${what}`);
}

/** IEEE 754 half precision to single, all of it; infinities and NaN become NaN, which no vector may hold. */
let singles: Float32Array | undefined;

function halfTable(): Float32Array {
  const table = new Float32Array(0x1_0000);
  const bits = new Uint32Array(table.buffer);
  for (let half = 0; half < table.length; half++) {
    const rest = half & 0x7fff;
    if (rest >= 0x7c00) table[half] = Number.NaN;
    else if (rest < 0x0400) table[half] = (half & 0x8000 ? -1 : 1) * rest * 2 ** -24;
    else bits[half] = ((half & 0x8000) << 16) | ((rest << 13) + 0x3800_0000);
  }
  return table;
}

function widen(bytes: Buffer): Float32Array {
  singles ??= halfTable();
  const even = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  const halves = new Uint16Array(even.buffer, even.byteOffset, even.length / 2);
  const out = new Float32Array(halves.length);
  for (let at = 0; at < out.length; at++) out[at] = singles[halves[at] ?? 0] ?? Number.NaN;
  return out;
}
