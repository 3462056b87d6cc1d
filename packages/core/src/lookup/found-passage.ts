import type { Generation } from '../index/generation.js';
import type { PassageRecord } from '../index/passages-file.js';
import type { LookupPassage, SearchHit } from './lookup-result.js';

/** A passage that a search found, with its text and its scores. */
export interface FoundPassage {
  readonly record: PassageRecord;
  readonly text: string;
  /** BM25, where keywords found it. */
  readonly keywordScore?: number | undefined;
  /** Cosine similarity, where the meaning search found it. */
  readonly similarity?: number | undefined;
  /** The neighbour that was joined to it: `text` holds both. */
  readonly neighbour?: PassageRecord | undefined;
}

/** What the model gets of a passage. */
export function toLookupPassage(generation: Generation, found: FoundPassage): LookupPassage {
  const { text, similarity } = found;
  const { name } = generation.document(found.record);
  const heading = generation.heading(found.record).join(' › ');
  const source = name.split(/[\\/]/).findLast((part) => part !== '') ?? name;
  const passage = heading === '' ? { text, source } : { text, source, heading };
  return similarity === undefined ? passage : { ...passage, score: round(similarity) };
}

/** All that is known of a passage. */
export function toSearchHit(generation: Generation, found: FoundPassage, at: number): SearchHit {
  const { record, neighbour, keywordScore } = found;
  const { name, title } = generation.document(record);
  const records = neighbour ? [record, neighbour].toSorted((a, b) => a.id - b.id) : [record];
  return {
    ...toLookupPassage(generation, found),
    rank: at + 1,
    id: record.id,
    kind: record.kind,
    ...(keywordScore === undefined ? {} : { keywordScore }),
    tokens: records.reduce((sum, { tokens }) => sum + tokens, 0),
    citation: {
      document: name,
      title,
      raw: records.map(({ id }) => generation.passages.raw(id)).join('\n'),
      ...(record.position ? { position: record.position } : {}),
    },
  };
}

function round(similarity: number): number {
  return Math.round(similarity * 1_000) / 1_000;
}
