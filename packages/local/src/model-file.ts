import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { modelLayout } from './model-layout.js';

/** The pieces a text is cut into, most frequent first, and their log probabilities. */
export interface Vocabulary {
  readonly pieces: readonly string[];
  readonly scores: readonly number[];
}

/** What the encoder is made of, read and checked. */
export interface ModelFiles {
  /** The bytes of `weights.bin`, in the order of `modelLayout()`. */
  readonly weights: Uint8Array;
  readonly vocabulary: Vocabulary;
  /** A WebAssembly module. */
  readonly kernel: Uint8Array;
}

/** `model.json`. */
interface ModelCard {
  readonly revision: string;
  /** In hex, by file name. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** The revision of the model in a folder. Reads `model.json` only. Throws an `Error` that names the file. */
export function readRevision(folder: URL): string {
  return readCard(folder).revision;
}

/** Reads and checks every file of a model. Throws an `Error` that names the file at fault. */
export function readModel(folder: URL): ModelFiles {
  const card = readCard(folder);
  const weights = readChecked(folder, 'weights.bin', card);
  if (weights.byteLength !== modelLayout().bytes) throw damaged('weights.bin', 'has another size');
  const kernel = readChecked(folder, 'kernel.wasm', card);
  return { weights, vocabulary: parseVocabulary(folder, card), kernel };
}

/** Reads and checks the vocabulary alone. Throws an `Error` that names the file. */
export function readVocabulary(folder: URL): Vocabulary {
  return parseVocabulary(folder, readCard(folder));
}

function parseVocabulary(folder: URL, card: ModelCard): Vocabulary {
  return JSON.parse(readChecked(folder, 'vocabulary.json', card).toString());
}

function readCard(folder: URL): ModelCard {
  const text = readBytes(folder, 'model.json').toString();
  try {
    const card: Partial<ModelCard> | null = JSON.parse(text);
    const { revision, sha256 } = card ?? {};
    if (typeof revision === 'string' && sha256 instanceof Object) return { revision, sha256 };
  } catch (error) {
    throw damaged('model.json', 'is not JSON', error);
  }
  throw damaged('model.json', 'has no revision');
}

/** A file whose bytes are those the build wrote: what it holds needs no further check. */
function readChecked(folder: URL, name: string, card: ModelCard): Buffer {
  const bytes = readBytes(folder, name);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (digest !== card.sha256[name]) throw damaged(name, 'is not as it was published');
  return bytes;
}

function readBytes(folder: URL, name: string): Buffer {
  try {
    return readFileSync(new URL(name, folder));
  } catch (error) {
    throw damaged(name, 'cannot be read', error);
  }
}

function damaged(name: string, what: string, cause?: unknown): Error {
  return new Error(`The local encoder's ${name} ${what}. Install @cuecard/local again.`, { cause });
}
