import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { KnowledgeError } from '../errors.js';
import { isReadable, notAccessible, parseDocument, readBytes } from './read-document.js';
import type { Source, SourceContext, SourceEntry } from './source.js';

/**
 * A folder and all below it, or one file. Names beginning with a dot are skipped; files of other
 * kinds are reported as ignored. Links are followed, each folder once.
 */
export function folder(location: string | URL): Source {
  const root = resolve(typeof location === 'string' ? location : fileURLToPath(location));
  const name = basename(root);
  return {
    name,
    async *entries(context) {
      const kind = await stat(root).catch((cause: unknown) => {
        const shown = typeof location === 'string' ? location : name;
        const message = `documents folder '${shown}' cannot be opened; create it, or correct the 'documents' option.`;
        throw new KnowledgeError({ code: 'documents-missing', message, cause });
      });
      if (kind.isDirectory()) yield* walk(root, '', new Set([await realpath(root)]), context);
      else yield await entryOf(root, name);
    },
  };
}

async function* walk(
  directory: string,
  prefix: string,
  seen: Set<string>,
  context: SourceContext,
): AsyncGenerator<SourceEntry> {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw notAccessible(prefix.slice(0, -1) || basename(directory), cause);
  });
  for (const name of names.filter((one) => !one.startsWith('.')).toSorted(byComposedName)) {
    context.signal?.throwIfAborted();
    const path = join(directory, name);
    const relative = `${prefix}${name}`;
    const kind = await stat(path).catch((cause: unknown) => {
      // A broken link to a document is a document that is missing; to anything else it is nothing to us.
      if (isReadable(name)) throw notAccessible(relative, cause);
    });
    if (kind?.isDirectory()) {
      const real = await realpath(path);
      if (seen.has(real)) continue;
      seen.add(real);
      yield* walk(path, `${relative}/`, seen, context);
    } else if (kind?.isFile() && isReadable(name)) yield await entryOf(path, relative);
    else context.ignored(relative);
  }
}

/** The same order whether the file system keeps `ü` as one character or as two. */
function byComposedName(a: string, b: string): number {
  const [left, right] = [a.normalize('NFC'), b.normalize('NFC')];
  if (left === right) return a < b ? -1 : 1;
  return left < right ? -1 : 1;
}

async function entryOf(path: string, relative: string): Promise<SourceEntry> {
  const name = relative.normalize('NFC');
  const bytes = await readBytes(path, name);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, bytes: bytes.length, sha256, read: () => parseDocument(name, bytes) };
}
