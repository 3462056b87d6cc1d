import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';

import { KnowledgeError } from '../errors.js';
import { decodeText } from './decode-text.js';
import type { Document } from './source.js';

type Parser = (bytes: Uint8Array) => Promise<Document>;

const parsers: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  [
    '.txt',
    async (bytes) => (await import('./plain-text.js')).parsePlainText(await decodeText(bytes)),
  ],
  ['.md', async (bytes) => (await import('./markdown.js')).parseMarkdown(await decodeText(bytes))],
  ['.pdf', async (bytes) => (await import('./pdf.js')).parsePdf(bytes)],
]);

/** Whether a file of this name is one of the kinds that can be read: `.txt`, `.md`, `.pdf`. */
export function isReadable(name: string): boolean {
  return parsers.has(extname(name).toLowerCase());
}

/** Reads one file as a bake would: a way to see what a document becomes. */
export async function readDocument(path: string): Promise<Document> {
  const name = basename(path);
  return parseDocument(name, await readBytes(path, name));
}

/** A file's bytes; a failure names the document, not its path. */
export async function readBytes(path: string, name: string): Promise<Uint8Array> {
  return readFile(path).catch((cause: unknown) => {
    throw notAccessible(name, cause);
  });
}

export function notAccessible(document: string, cause: unknown): KnowledgeError {
  const message = `document '${document}' cannot be opened; check its permissions.`;
  const code = 'document-unreadable';
  return new KnowledgeError({ code, reason: 'not-accessible', document, message, cause });
}

/** Takes a document apart by the kind its name tells; failures name it. */
export async function parseDocument(name: string, bytes: Uint8Array): Promise<Document> {
  const parse = parsers.get(extname(name).toLowerCase());
  try {
    if (parse) return await parse(bytes);
  } catch (error) {
    throw unreadable(name, error);
  }
  const message = `only ${[...parsers.keys()].join(', ')} can be read.`;
  throw unreadable(
    name,
    new KnowledgeError({ code: 'document-unreadable', reason: 'unsupported', message }),
  );
}

function unreadable(name: string, cause: unknown): KnowledgeError {
  const known = cause instanceof KnowledgeError ? cause : undefined;
  const message = `document '${name}' cannot be read: ${known?.message ?? 'the file is damaged.'}`;
  return new KnowledgeError({
    code: 'document-unreadable',
    document: name,
    reason: known?.reason ?? 'broken',
    message,
    cause: known?.cause ?? (known ? undefined : cause),
  });
}
