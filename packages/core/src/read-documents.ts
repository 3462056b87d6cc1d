import { folder } from './documents/folder.js';
import type { Source } from './documents/source.js';
import { KnowledgeError } from './errors.js';
import { eventLoopTurns } from './event-loop-turns.js';
import type { Fingerprint } from './index/manifest.js';
import type { Documents, ResolvedOptions } from './options.js';
import type { Passage } from './passages/passage.js';
import type { BakeOptions } from './progress.js';

/** What a document is known by in an index. */
export interface DocumentFile extends Fingerprint {
  readonly name: string;
}

/** All documents of a base, taken apart. */
export interface ReadDocuments {
  readonly files: readonly DocumentFile[];
  /** One a file: its title, else its name in words. */
  readonly titles: readonly string[];
  readonly passages: readonly Passage[];
  readonly warnings: readonly string[];
  /** Files of kinds that are not read. */
  readonly ignored: readonly string[];
}

/** Lists a base's documents without reading what they say. */
export async function listDocuments(
  documents: readonly Documents[],
  signal?: AbortSignal,
): Promise<DocumentFile[]> {
  const files: DocumentFile[] = [];
  for await (const { name, bytes, sha256 } of entries(documents, {
    signal,
    ignored: () => undefined,
  })) {
    files.push({ name, bytes, sha256 });
  }
  return files;
}

/** Reads and splits every document. No text at all is an error; a document without text is a warning. */
export async function readDocuments(
  options: ResolvedOptions,
  bake: BakeOptions,
): Promise<ReadDocuments> {
  const { splitDocument } = await import('./passages/split.js');
  const files: DocumentFile[] = [];
  const titles: string[] = [];
  const passages: Passage[] = [];
  const warnings: string[] = [];
  const ignored: string[] = [];
  const turn = eventLoopTurns();
  const context = { signal: bake.signal, ignored: (name: string) => void ignored.push(name) };
  for await (const entry of entries(options.documents, context)) {
    const { name, bytes, sha256 } = entry;
    const document = await entry.read();
    const before = passages.length;
    for (const passage of splitDocument(document, files.length, options)) {
      if (passage) passages.push(passage);
      await turn();
    }
    warnings.push(...document.warnings.map((warning) => `document '${name}': ${warning}`));
    if (passages.length === before)
      warnings.push(`document '${name}' holds no text and was left out`);
    files.push({ name, bytes, sha256 });
    titles.push(document.title ?? titleOf(name));
    bake.onProgress?.({ phase: 'read', done: files.length, document: name });
    await turn();
  }
  if (passages.length === 0) throw nothingToRead(files.length, ignored.length);
  return { files, titles, passages, warnings, ignored };
}

async function* entries(
  documents: readonly Documents[],
  context: Parameters<Source['entries']>[0],
): ReturnType<Source['entries']> extends AsyncIterable<infer Entry>
  ? AsyncGenerator<Entry>
  : never {
  const sources = documents.map((given) =>
    typeof given === 'string' || given instanceof URL ? folder(given) : given,
  );
  const taken = new Set<string>();
  for (const source of sources) {
    for await (const entry of source.entries(context)) {
      context.signal?.throwIfAborted();
      const name = unique(sources.length > 1 ? `${source.name}/${entry.name}` : entry.name, taken);
      taken.add(name);
      yield { name, bytes: entry.bytes, sha256: entry.sha256, read: () => entry.read() };
    }
  }
}

function unique(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let copy = 2; taken.has(candidate); copy++) candidate = `${name} (${copy})`;
  return candidate;
}

/** `refunds-2024_archive.txt` is said as "refunds 2024 archive". */
function titleOf(name: string): string {
  const file = name.slice(name.lastIndexOf('/') + 1);
  return file
    .replace(/\.[^.]+$/, '')
    .replace(/[-_.\s]+/g, ' ')
    .trim();
}

function nothingToRead(files: number, ignored: number): KnowledgeError {
  const found =
    files === 0
      ? `there are no documents (${ignored} files of other kinds)`
      : `all ${files} documents are empty`;
  const message = `${found}; put .txt, .md or .pdf files with text into the documents folder.`;
  return new KnowledgeError({ code: 'documents-empty', message });
}
