import type { Generation } from './index/generation.js';
import type { Manifest } from './index/manifest.js';

/** One document of an index. */
export interface DocumentSummary {
  readonly name: string;
  readonly title: string;
  readonly bytes: number;
  readonly passages: number;
  readonly tokens: number;
}

/** A passage by its length. */
export interface PassageSummary {
  readonly id: number;
  readonly document: string;
  readonly heading: string;
  readonly tokens: number;
  readonly text: string;
}

/** What an index holds. */
export interface IndexSummary {
  readonly base: Manifest['base'];
  readonly generation: string;
  readonly format: number;
  readonly settings: Manifest['settings'];
  readonly tokenizer: Manifest['tokenizer'];
  /** What the vectors were made by; `null` without vectors. */
  readonly embedder: Manifest['embedder'];
  readonly counts: Manifest['counts'];
  /** Sizes of the files in bytes. */
  readonly artefacts: Readonly<Record<string, number>>;
  readonly documents: readonly DocumentSummary[];
  /** The longest passages first. */
  readonly longest: readonly PassageSummary[];
  /** The shortest passages first. */
  readonly shortest: readonly PassageSummary[];
}

const shown = 5;

/** Walks over every passage of a generation. */
export function inspectGeneration(generation: Generation): IndexSummary {
  const { manifest, passages, documents } = generation;
  const sources = generation.sources();
  const records = Array.from({ length: passages.count }, (_, id) => passages.record(id));
  const perDocument = sources.bytes.map(() => ({ passages: 0, tokens: 0 }));
  for (const record of records) {
    const sum = perDocument[record.document];
    if (!sum) continue;
    sum.passages++;
    sum.tokens += record.tokens;
  }
  const byLength = records.toSorted((a, b) => a.tokens - b.tokens || a.id - b.id);
  const summary = (record: (typeof records)[number]): PassageSummary => ({
    id: record.id,
    document: generation.document(record).name,
    heading: generation.heading(record).join(' › '),
    tokens: record.tokens,
    text: passages.text(record.id),
  });
  return {
    base: manifest.base,
    generation: manifest.generation,
    format: manifest.format,
    settings: manifest.settings,
    tokenizer: manifest.tokenizer,
    embedder: manifest.embedder,
    counts: manifest.counts,
    artefacts: Object.fromEntries(manifest.artefacts.map(({ file, bytes }) => [file, bytes])),
    documents: sources.bytes.map((bytes, at) => ({
      ...documents.document(at),
      bytes,
      passages: perDocument[at]?.passages ?? 0,
      tokens: perDocument[at]?.tokens ?? 0,
    })),
    longest: byLength.slice(-shown).toReversed().map(summary),
    shortest: byLength.slice(0, shown).map(summary),
  };
}
