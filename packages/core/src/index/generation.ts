import type { Artefact } from './artefact.js';
import {
  DocumentTable,
  decodeSources,
  documentsFile,
  sourcesFile,
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

/** What a generation is made of, taken from files that have been checked. */
interface Parts {
  readonly manifest: Manifest;
  readonly documents: DocumentTable;
  readonly passages: PassagesFile;
  readonly keywords: KeywordSearch;
  readonly vectors: VectorSearch | undefined;
  readonly sources: Artefact;
  /** What is still read from; the others have been taken apart. */
  readonly inUse: readonly Artefact[];
}

/** One immutable index, open for reading. It closes when it is retired and the last lookup in it has ended. */
export class Generation {
  readonly manifest: Manifest;
  readonly documents: DocumentTable;
  readonly passages: PassagesFile;
  readonly keywords: KeywordSearch;
  /** There when the index was baked for meaning. */
  readonly vectors: VectorSearch | undefined;
  readonly #sources: Artefact;
  readonly #inUse: readonly Artefact[];
  #users = 0;
  #retired = false;

  /** Takes the artefacts, whose digests have been checked, and checks that they fit each other. */
  static async open(
    manifest: Manifest,
    artefacts: ReadonlyMap<string, Artefact>,
    vectors?: VectorSearch,
  ): Promise<Generation> {
    const need = (file: string): Artefact => {
      const artefact = artefacts.get(file);
      if (!artefact) throw corrupt(`${file} is not part of the index`);
      return artefact;
    };
    const whole = (file: string): Buffer => need(file).read(0, need(file).size);
    const { counts } = manifest;
    const keywords = decodeKeywords(whole(keywordsFile));
    const documents = await DocumentTable.open(whole(documentsFile), counts.documents);
    const passages = new PassagesFile(need(passagesTextFile), whole(passagesTableFile));
    await passages.check(documents.documents, documents.headings);
    const sizes = [passages.count, keywords.passages, vectors?.rows ?? counts.passages];
    const fits = sizes.every((count) => count === counts.passages);
    if (!fits) throw corrupt('its files do not belong together');
    const sources = need(sourcesFile);
    const inUse = [need(passagesTextFile), sources, ...(vectors ? [need(vectorsFile)] : [])];
    const search = new KeywordSearch(keywords);
    return new Generation({
      manifest,
      documents,
      passages,
      keywords: search,
      vectors,
      sources,
      inUse,
    });
  }

  private constructor(parts: Parts) {
    this.manifest = parts.manifest;
    this.documents = parts.documents;
    this.passages = parts.passages;
    this.keywords = parts.keywords;
    this.vectors = parts.vectors;
    this.#sources = parts.sources;
    this.#inUse = parts.inUse;
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
    return this.documents.document(document);
  }

  heading({ heading }: PassageRecord): readonly string[] {
    return this.documents.heading(heading);
  }

  /** The documents as they were baked. */
  sources(): SourceTable {
    const sources = decodeSources(this.#sources.read(0, this.#sources.size));
    const { documents } = this.documents;
    if (sources.bytes.length === documents && sources.sha256.length === documents) return sources;
    throw corrupt(`${sourcesFile} is of other documents`);
  }

  #closeWhenIdle(): void {
    if (!this.#retired || this.#users > 0) return;
    this.vectors?.close().catch(() => undefined);
    for (const artefact of this.#inUse) artefact.close().catch(() => undefined);
  }
}
