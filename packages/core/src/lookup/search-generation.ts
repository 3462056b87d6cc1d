import { KnowledgeError } from '../errors.js';
import type { Generation } from '../index/generation.js';
import { queryTerms } from '../language/tokens.js';
import type { ResolvedOptions } from '../options.js';
import type { Deadline } from './deadline.js';
import { type FoundPassage, toSearchHit } from './found-passage.js';
import { type FusedHit, fuse } from './fuse.js';
import type { Degraded } from './lookup-result.js';
import type { QueryEmbedder, QueryVector } from './query-embedder.js';
import { rerankWithin } from './rerank.js';
import { trim } from './trim.js';

/** How many passages each half brings; fusion, reranking and trimming choose among them. */
const candidates = 20;

/** One search in one generation. */
export interface GenerationSearch {
  readonly generation: Generation;
  readonly query: string;
  readonly topK: number;
  /** Needed for `meaning` and `hybrid`. */
  readonly embedder: QueryEmbedder | undefined;
  readonly options: Pick<ResolvedOptions, 'mode' | 'minScore' | 'fusion' | 'rerank'>;
  readonly deadline: Deadline;
  /** Nobody waits for the result yet. */
  readonly prefetch: boolean;
  /** Told what went wrong without ending the search. */
  readonly complain: (what: string) => void;
}

/** What a search found, best first, and how. */
export interface GenerationResult {
  readonly found: readonly FoundPassage[];
  /** It is what the same search would find again: nothing failed or was late. */
  readonly whole: boolean;
  readonly degraded?: Degraded | undefined;
  readonly cached?: boolean | undefined;
  readonly prefetched?: boolean | undefined;
}

type Ordered = Pick<GenerationResult, 'whole'> & { readonly passages: Iterable<FoundPassage> };

/**
 * The passages of a generation that answer a query, in the way of the base's mode, by the deadline. Keywords
 * alone answer at once: waiting a turn of the event loop would take longer than the search.
 */
export function searchGeneration(
  search: GenerationSearch,
): GenerationResult | Promise<GenerationResult> {
  const { embedder, options, query } = search;
  if (query.trim() === '') return { found: [], whole: true };
  if (options.mode !== 'keyword' && embedder) return withEmbedder(search, embedder);
  return options.rerank ? byKeywordReranked(search) : byKeyword(search);
}

async function withEmbedder(
  search: GenerationSearch,
  embedder: QueryEmbedder,
): Promise<GenerationResult> {
  const { query, deadline, options, prefetch } = search;
  const embedded = await embedder.embed(query, deadline, prefetch);
  if (typeof embedded !== 'string') return byMeaning(search, embedder, embedded);
  if (options.mode === 'meaning') {
    const message = `embedder '${embedder.embedder.id}' gave no vector (${embedded}).`;
    throw new KnowledgeError({ code: 'embedder-failed', message });
  }
  const { found } = options.rerank ? await byKeywordReranked(search) : byKeyword(search);
  return { found, whole: false, degraded: embedded };
}

/** As BM25 ranks them, untrimmed: comparing passages with each other takes longer than finding them. */
function byKeyword(search: GenerationSearch): GenerationResult {
  const hits = keywordHits(search, search.topK);
  return { found: [...read(search.generation, hits)], whole: true };
}

async function byKeywordReranked(search: GenerationSearch): Promise<GenerationResult> {
  const { passages, whole } = await inOrder(search, keywordHits(search, candidates));
  return { found: trim(passages, search.topK), whole };
}

function keywordHits({ generation, query }: GenerationSearch, limit: number): FusedHit[] {
  const terms = queryTerms(query, generation.manifest.tokenizer.language);
  const hits = generation.keywords.search(terms, limit);
  return hits.map(({ passage, score }) => ({ passage, keywordScore: score }));
}

async function byMeaning(
  search: GenerationSearch,
  { embedder: { weight } }: QueryEmbedder,
  { vector, cached, prefetched }: QueryVector,
): Promise<GenerationResult> {
  const { generation, query, topK, options } = search;
  const { vectors, keywords, manifest } = generation;
  const limit = Math.max(candidates, topK);
  const nearest = vectors?.nearest(vector, limit) ?? [];
  const terms = options.mode === 'meaning' ? [] : queryTerms(query, manifest.tokenizer.language);
  const fused = fuse(options.fusion, {
    keywords: keywords.search(terms, limit),
    meanings: nearest.filter(({ similarity }) => similarity >= options.minScore),
    ideal: keywords.ideal(terms),
    weight,
    similarity: (passage) => vectors?.similarity(vector, passage) ?? 0,
  });
  const { passages, whole } = await inOrder(search, fused);
  return { found: trim(passages, topK), whole, cached, prefetched };
}

async function inOrder(search: GenerationSearch, fused: readonly FusedHit[]): Promise<Ordered> {
  const { generation, options, deadline, query, complain } = search;
  if (!options.rerank) return { passages: read(generation, fused), whole: true };
  const found = [...read(generation, fused.slice(0, candidates))];
  const hits = found.map((passage, at) => toSearchHit(generation, passage, at));
  const ordered = await rerankWithin(deadline, options.rerank, query, hits);
  if (typeof ordered === 'string') {
    complain(ordered === 'late' ? 'rerank was late' : 'rerank failed');
    return { passages: found, whole: false };
  }
  const passages = ordered.flatMap((id) => found.find(({ record }) => record.id === id) ?? []);
  return { passages, whole: true };
}

/** Texts are read as they are needed: of most lookups, only those that are returned. */
function* read(generation: Generation, fused: readonly FusedHit[]): Generator<FoundPassage> {
  for (const { passage, keywordScore, similarity } of fused) {
    const record = generation.passages.record(passage);
    yield { record, text: generation.passages.text(passage), keywordScore, similarity };
  }
}
