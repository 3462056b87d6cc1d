import type { Artefact } from './artefact.js';
import {
  decodeDocuments,
  decodeSources,
  documentsFile,
  sourcesFile,
  type DocumentTable,
  type SourceTable,
} from './documents-file.js';
import { corrupt } from './index-error.js';
import { decodeKeywords, keywordsFile } from './keyword-index.js';
import { KeywordSearch } from './keyword-search.js';
import type { Manifest } from './manifest.js';
import {
  PassagesFile,
  passagesTableFile,
  passagesTextFile,
  type PassageRecord,
} from './passages-file.js';
import { vectorsFile } from './vector-file.js';
import type { VectorSearch } from './vector-search.js';

/** One immutable index, open for reading. It closes when it is retired and the last lookup in it has ended. */
export class Generation {
  readonly manifest: Manifest;
  readonly documents: DocumentTable;
  readonly passages: PassagesFile;
  readonly keywords: KeywordSearch;
  /** There when the index was baked for meaning. */
  readonly vectors: VectorSearch | undefined;
  readonly #sources: Artefact;
  /** What is still read from; the others have been taken apart. */
  readonly #artefacts: readonly Artefact[];
  #users = 0;
  #retired = false;

  /** Takes the artefacts, whose digests have been checked, and checks that they fit each other. */
  constructor(
    manifest: Manifest,
    artefacts: ReadonlyMap<string, Artefact>,
    vectors?: VectorSearch,
  ) {
    const need = (file: string): Artefact => {
      const artefact = artefacts.get(file);
      if (!artefact) throw corrupt(`${file} is not part of the index`);
      return artefact;
    };
    const whole = (file: string): Buffer => need(file).read(0, need(file).size);
    const keywords = decodeKeywords(whole(keywordsFile));
    this.manifest = manifest;
    this.vectors = vectors;
    this.documents = decodeDocuments(whole(documentsFile));
    this.passages = new PassagesFile(need(passagesTextFile), whole(passagesTableFile));
    this.passages.check(this.documents.names.length, this.documents.headings.length);
    this.#sources = need(sourcesFile);
    this.keywords = new KeywordSearch(keywords);
    this.#artefacts = [
      need(passagesTextFile),
      this.#sources,
      ...(vectors ? [need(vectorsFile)] : []),
    ];
    const { counts } = manifest;
    const sizes = [this.passages.count, keywords.passages, vectors?.rows ?? counts.passages];
    const fits = sizes.every((count) => count === counts.passages);
    if (!fits || this.documents.names.length !== counts.documents)
      throw corrupt('its files do not belong together');
  }

  /** Keeps the files open until the returned function is called. */
  acquire(): () => void {
    let held = true;
    this.#users++;
    return () => {
      if (!held) return;
      held = false;
      this.#users--;
      this.#closeWhenIdle();
    };
  }

  /** Takes no new lookups; the files close after the last one. */
  retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#closeWhenIdle();
  }

  document({ document }: PassageRecord): { readonly name: string; readonly title: string } {
    const { names, titles } = this.documents;
    return { name: names[document] ?? '', title: titles[document] ?? '' };
  }

  heading({ heading }: PassageRecord): readonly string[] {
    return this.documents.headings[heading] ?? [];
  }

  /** The documents as they were baked. */
  sources(): SourceTable {
    const sources = decodeSources(this.#sources.read(0, this.#sources.size));
    const { length } = this.documents.names;
    if (sources.bytes.length === length && sources.sha256.length === length) return sources;
    throw corrupt(`${sourcesFile} is of other documents`);
  }

  #closeWhenIdle(): void {
    if (!this.#retired || this.#users > 0) return;
    this.vectors?.close().catch(() => undefined);
    for (const artefact of this.#artefacts) artefact.close().catch(() => undefined);
  }
}
