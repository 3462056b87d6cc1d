import { buildVectors } from './build-vectors.js';
import { embedderIdentity, makeEmbedder } from './embedding/make-embedder.js';
import type { EmbeddingCounts } from './errors.js';
import { eventLoopTurns } from './event-loop-turns.js';
import { memoryArtefact } from './index/artefact.js';
import { sha256, canonicalJson } from './index/digest.js';
import {
  documentsFile,
  encodeDocuments,
  encodeSources,
  sourcesFile,
} from './index/documents-file.js';
import { keywordsFile } from './index/keyword-index.js';
import { writeKeywords } from './index/keyword-writer.js';
import { indexFormat, sealManifest, type Manifest } from './index/manifest.js';
import {
  encodePassages,
  type IndexedPassage,
  passagesTableFile,
  passagesTextFile,
} from './index/passages-file.js';
import { vectorsFile } from './index/vector-file.js';
import { detectLanguage } from './language/detect.js';
import { tokenizer } from './language/tokens.js';
import type { ResolvedOptions } from './options.js';
import { indexedText, type Passage } from './passages/passage.js';
import type { BakeOptions } from './progress.js';
import { readDocuments } from './read-documents.js';
import { settingsOf } from './settings-of.js';

/** A generation before it is written: its manifest and the bytes of its files. */
export interface BuiltIndex {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly warnings: readonly string[];
  readonly ignored: readonly string[];
  /** There when the index has vectors. */
  readonly embedding: EmbeddingCounts | undefined;
}

/**
 * Documents to artefacts: the same documents and settings give the same bytes. Vectors of the index in
 * `indexDir` are used again where passages are unchanged.
 */
export async function buildIndex(
  options: ResolvedOptions,
  bake: BakeOptions,
  indexDir?: string,
): Promise<BuiltIndex> {
  const {
    files: documents,
    titles,
    passages,
    warnings,
    ignored,
  } = await readDocuments(options, bake);
  const { indexed, headings } = await placePassages(passages, titles);
  const texts = indexed.map((item) => item.indexed);
  const language =
    options.language === 'auto'
      ? await detectLanguage(passages.map(({ text }) => text))
      : options.language;
  const onIndexed = (done: number): void => {
    bake.signal?.throwIfAborted();
    bake.onProgress?.({ phase: 'index', done, total: texts.length });
  };
  const keywords = await writeKeywords(texts, language, onIndexed);
  onIndexed(texts.length);
  const embedder = makeEmbedder(options);
  const vectors = embedder && (await buildVectors({ embedder, texts, language, indexDir }, bake));
  const encoded = await encodePassages(indexed);
  const table = { names: documents.map(({ name }) => name), titles, headings };
  const sources = {
    bytes: documents.map(({ bytes }) => bytes),
    sha256: documents.map((document) => document.sha256),
  };
  const files = new Map([
    [documentsFile, encodeDocuments(table)],
    [sourcesFile, encodeSources(sources)],
    [keywordsFile, keywords.bytes],
    [passagesTextFile, encoded.text],
    [passagesTableFile, encoded.table],
  ]);
  if (vectors) files.set(vectorsFile, vectors.bytes);
  const artefacts = await fingerprints(files);
  const manifest = sealManifest({
    format: indexFormat,
    generation: sha256(canonicalJson(artefacts)).slice(0, 32),
    base: { name: options.name, tenant: options.tenant ?? null },
    settings: settingsOf(options),
    tokenizer: { ...tokenizer, language },
    embedder: embedder ? embedderIdentity(embedder) : null,
    libraries: { flexsearch: '0.8.212', unicode: process.versions['unicode'] ?? '' },
    artefacts,
    counts: {
      documents: documents.length,
      passages: passages.length,
      ...keywords.counts,
      tokens: passages.reduce((sum, { tokens }) => sum + tokens, 0),
    },
  });
  const told = [...warnings, ...(vectors?.warnings ?? [])];
  return { manifest, files, warnings: told, ignored, embedding: vectors?.embedding };
}

/** Passages as they are indexed, and the heading paths that they point into. */
async function placePassages(
  passages: readonly Passage[],
  titles: readonly string[],
): Promise<{ indexed: IndexedPassage[]; headings: (readonly string[])[] }> {
  const turn = eventLoopTurns();
  const places = new Map<string, number>();
  const headings: (readonly string[])[] = [];
  const indexed: IndexedPassage[] = [];
  for (const passage of passages) {
    const key = JSON.stringify(passage.heading);
    const heading = places.get(key) ?? headings.push(passage.heading) - 1;
    places.set(key, heading);
    const text = indexedText(titles[passage.document] ?? '', passage);
    indexed.push({ passage, heading, indexed: text });
    await turn();
  }
  return { indexed, headings };
}

async function fingerprints(files: ReadonlyMap<string, Buffer>): Promise<Manifest['artefacts']> {
  const artefacts: Manifest['artefacts'][number][] = [];
  for (const [file, bytes] of files)
    artefacts.push({ file, bytes: bytes.length, sha256: await memoryArtefact(bytes).sha256() });
  return artefacts;
}
