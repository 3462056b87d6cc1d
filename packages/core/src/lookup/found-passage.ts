import type { Generation } from '../index/generation.js';
import type { PassageRecord } from '../index/passages-file.js';
import type { LookupPassage, SearchHit } from './lookup-result.js';

/** A passage that a search found, with its text and its scores. */
export interface FoundPassage {
  readonly record: PassageRecord;
  readonly text: string;
  /** BM25, where keywords found it. */
  readonly keywordScore?: number;
}

/** What the model gets of a passage. */
export function toLookupPassage(generation: Generation, found: FoundPassage): LookupPassage {
  const { name } = generation.document(found.record);
  const heading = generation.heading(found.record).join(' › ');
  const source = name.slice(name.lastIndexOf('/') + 1);
  return { text: found.text, source, ...(heading === '' ? {} : { heading }) };
}

/** All that is known of a passage. */
export function toSearchHit(generation: Generation, found: FoundPassage, at: number): SearchHit {
  const { record, keywordScore } = found;
  const { name, title } = generation.document(record);
  return {
    ...toLookupPassage(generation, found),
    rank: at + 1,
    id: record.id,
    kind: record.kind,
    ...(keywordScore === undefined ? {} : { keywordScore }),
    tokens: record.tokens,
    citation: {
      document: name,
      title,
      raw: generation.passages.raw(record.id),
      ...(record.position ? { position: record.position } : {}),
    },
  };
}
