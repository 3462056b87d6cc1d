import { constants, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';

import { hashedAtOnce, sha256InTurns } from './digest.js';
import { corrupt } from './index-error.js';

/** Texts are decoded from here; one at a time, so one for all. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024);

/** One file of a generation, read by slice. */
export interface Artefact {
  readonly size: number;
  /** Its file, where there is one. */
  readonly path?: string;
  /** Throws `index-corrupt` outside the file. */
  read(offset: number, length: number): Buffer;
  /** The same as UTF-8 text. */
  text(offset: number, length: number): string;
  sha256(): Promise<string>;
  close(): Promise<void>;
}

/** An artefact held in memory. */
export function memoryArtefact(bytes: Buffer): Artefact {
  const check = (offset: number, length: number): void => {
    if (!inside(offset, length, bytes.length)) throw corrupt('a slice lies outside its file');
  };
  return {
    size: bytes.length,
    read(offset, length) {
      check(offset, length);
      return bytes.subarray(offset, offset + length);
    },
    text(offset, length) {
      check(offset, length);
      return bytes.toString('utf8', offset, offset + length);
    },
    sha256: () => sha256InTurns(bytes.length, (at, length) => bytes.subarray(at, at + length)),
    close: async () => undefined,
  };
}

/** An artefact of `size` bytes, read into memory at once. Throws `index-corrupt` when the file is of another size. */
export async function wholeArtefact(path: string, size: number): Promise<Artefact> {
  const handle = await openSized(path, size);
  try {
    const bytes = Buffer.allocUnsafeSlow(size);
    let got = 0;
    while (got < size) {
      const { bytesRead } = await handle.read(bytes, got, size - got, got);
      if (bytesRead === 0) break;
      got += bytesRead;
    }
    return memoryArtefact(bytes.subarray(0, got));
  } finally {
    await handle.close();
  }
}

/** Opens a plain file of the expected size; anything else, a pipe that would block among them, is refused. */
async function openSized(path: string, expected: number): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (found.isFile() && found.size === expected) return handle;
    throw corrupt(`${basename(path)} is not as it was written`);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * An artefact of `size` bytes, read from its file as needed; the open file outlives a replaced or removed
 * name. Throws `index-corrupt` when the file is of another size.
 */
export async function fileArtefact(path: string, size: number): Promise<Artefact> {
  const handle = await openSized(path, size);
  const fill = (bytes: Buffer, offset: number, length: number): Buffer => {
    if (!inside(offset, length, size)) throw corrupt('a slice lies outside its file');
    let got = 0;
    while (got < length) {
      const more = readSync(handle.fd, bytes, got, length - got, offset + got);
      if (more === 0) throw corrupt('a file became shorter while in use');
      got += more;
    }
    return bytes;
  };
  return {
    size,
    path,
    read: (offset, length) => fill(Buffer.allocUnsafe(length), offset, length),
    text: (offset, length) =>
      length <= scratch.length
        ? fill(scratch, offset, length).toString('utf8', 0, length)
        : fill(Buffer.allocUnsafe(length), offset, length).toString('utf8'),
    sha256: () => hashFile(handle, size),
    close: () => handle.close(),
  };
}

async function hashFile(handle: FileHandle, size: number): Promise<string> {
  const chunk = Buffer.allocUnsafe(Math.min(size, hashedAtOnce));
  return sha256InTurns(size, async (at, length) => {
    const { bytesRead } = await handle.read(chunk, 0, length, at);
    return chunk.subarray(0, bytesRead);
  });
}

function inside(offset: number, length: number, size: number): boolean {
  return (
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length) &&
    offset >= 0 &&
    length >= 0 &&
    offset + length <= size
  );
}
