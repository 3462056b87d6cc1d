import { buildVectors } from './build-vectors.js';
import { embedderIdentity, makeEmbedder } from './embedding/make-embedder.js';
import { sha256, canonicalJson } from './index/digest.js';
import { documentsFile, encodeTable, sourcesFile } from './index/documents-file.js';
import { keywordsFile } from './index/keyword-index.js';
import { writeKeywords } from './index/keyword-writer.js';
import { indexFormat, sealManifest, type Manifest } from './index/manifest.js';
import { encodePassages, passagesTableFile, passagesTextFile } from './index/passages-file.js';
import { vectorsFile } from './index/vector-file.js';
import { detectLanguage } from './language/detect.js';
import { tokenizer } from './language/tokens.js';
import type { ResolvedOptions } from './options.js';
import { indexedText, type Passage } from './passages/passage.js';
import type { BakeOptions } from './progress.js';
import { readDocuments } from './read-documents.js';

/** A generation before it is written: its manifest and the bytes of its files. */
export interface BuiltIndex {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly warnings: readonly string[];
  readonly ignored: readonly string[];
}

/** Documents to artefacts: the same documents and settings give the same bytes. */
export async function buildIndex(options: ResolvedOptions, bake: BakeOptions): Promise<BuiltIndex> {
  const {
    files: documents,
    titles,
    passages,
    warnings,
    ignored,
  } = await readDocuments(options, bake);
  const headings = headingTable(passages);
  const indexed = passages.map((passage) => ({
    passage,
    heading: headings.place(passage.heading),
    indexed: indexedText(titles[passage.document] ?? '', passage),
  }));
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
  const vectors = embedder && (await buildVectors(embedder, texts, language, bake));
  const encoded = encodePassages(indexed);
  const table = { names: documents.map(({ name }) => name), titles, headings: headings.paths };
  const sources = {
    bytes: documents.map(({ bytes }) => bytes),
    sha256: documents.map((document) => document.sha256),
  };
  const files = new Map([
    [documentsFile, encodeTable(table)],
    [sourcesFile, encodeTable(sources)],
    [keywordsFile, keywords.bytes],
    [passagesTextFile, encoded.text],
    [passagesTableFile, encoded.table],
  ]);
  if (vectors) files.set(vectorsFile, vectors.bytes);
  const artefacts = [...files].map(([file, bytes]) => ({
    file,
    bytes: bytes.length,
    sha256: sha256(bytes),
  }));
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
  return { manifest, files, warnings: [...warnings, ...(vectors?.warnings ?? [])], ignored };
}

/** The settings that change passages or terms: an index baked with others does not fit. */
export function settingsOf(options: ResolvedOptions): Manifest['settings'] {
  const { mode, chunkSize, chunkOverlap, language } = options;
  return { mode, chunkSize, chunkOverlap, language };
}

function headingTable(passages: readonly Passage[]) {
  const places = new Map<string, number>();
  const paths: (readonly string[])[] = [];
  const place = (path: readonly string[]): number => {
    const key = JSON.stringify(path);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, paths.push(path) - 1);
    return paths.length - 1;
  };
  for (const passage of passages) place(passage.heading);
  return { paths, place };
}
