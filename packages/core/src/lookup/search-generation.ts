import type { Embedder } from '../embedder.js';
import { embedChecked } from '../embedding/embed-checked.js';
import { KnowledgeError } from '../errors.js';
import type { Generation } from '../index/generation.js';
import { queryTerms } from '../language/tokens.js';
import type { ResolvedOptions } from '../options.js';
import { late, within } from './deadline.js';
import { type FoundPassage, toSearchHit } from './found-passage.js';
import { type FusedHit, fuse } from './fuse.js';
import type { Degraded } from './lookup-result.js';
import { trim } from './trim.js';

/** Nobody says more in one breath; what is beyond is left out so that no question can hold up a call. */
const longestQuery = 2_000;
/** How many passages each half brings; fusion, reranking and trimming choose among them. */
const candidates = 20;

/** One search in one generation. */
export interface GenerationSearch {
  readonly generation: Generation;
  readonly query: string;
  readonly topK: number;
  /** Needed for `meaning` and `hybrid`. */
  readonly embedder: Embedder | undefined;
  readonly options: Pick<ResolvedOptions, 'mode' | 'minScore' | 'fusion' | 'rerank' | 'logger'>;
  /** How long the embedder may take. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a search found, best first, and what it had to do without. */
export interface GenerationResult {
  readonly found: readonly FoundPassage[];
  readonly degraded?: Degraded | undefined;
}

/**
 * The passages of a generation that answer a query, in the way of the base's mode. Keywords alone answer
 * at once: waiting a turn of the event loop would take longer than the search.
 */
export function searchGeneration(
  search: GenerationSearch,
): GenerationResult | Promise<GenerationResult> {
  const query = search.query.slice(0, longestQuery);
  if (query.trim() === '') return { found: [] };
  const { embedder, options } = search;
  if (options.mode !== 'keyword' && embedder) return withEmbedder(search, embedder, query);
  if (options.rerank) return byKeywordReranked(search, query).then((found) => ({ found }));
  return { found: byKeyword(search, query) };
}

async function withEmbedder(
  search: GenerationSearch,
  embedder: Embedder,
  query: string,
): Promise<GenerationResult> {
  const vector = await embedQuery(search, embedder, query);
  if (typeof vector !== 'string')
    return { found: await byMeaning(search, embedder, query, vector) };
  const { rerank } = search.options;
  const found = rerank ? await byKeywordReranked(search, query) : byKeyword(search, query);
  return { found, degraded: vector };
}

/** As BM25 ranks them, untrimmed: comparing passages with each other takes longer than finding them. */
function byKeyword(search: GenerationSearch, query: string): FoundPassage[] {
  const hits = keywordHits(search, termsOf(search, query), search.topK);
  return [...read(search.generation, hits)];
}

async function byKeywordReranked(search: GenerationSearch, query: string): Promise<FoundPassage[]> {
  const hits = keywordHits(search, termsOf(search, query), candidates);
  return trim(await inOrder(search, query, hits), search.topK);
}

function keywordHits(
  { generation }: GenerationSearch,
  terms: readonly string[],
  limit: number,
): FusedHit[] {
  const hits = generation.keywords.search(terms, limit);
  return hits.map(({ passage, score }) => ({ passage, keywordScore: score }));
}

function termsOf({ generation }: GenerationSearch, query: string): string[] {
  return queryTerms(query, generation.manifest.tokenizer.language);
}

async function byMeaning(
  search: GenerationSearch,
  embedder: Embedder,
  query: string,
  vector: Float32Array,
): Promise<FoundPassage[]> {
  const { generation, topK, options } = search;
  const { vectors, keywords, manifest } = generation;
  const limit = Math.max(candidates, topK);
  const nearest = vectors?.nearest(vector, limit) ?? [];
  const terms = options.mode === 'meaning' ? [] : queryTerms(query, manifest.tokenizer.language);
  const fused = fuse(options.fusion, {
    keywords: keywords.search(terms, limit),
    meanings: nearest.filter(({ similarity }) => similarity >= options.minScore),
    ideal: keywords.ideal(terms),
    weight: embedder.weight,
    similarity: (passage) => vectors?.similarity(vector, passage) ?? 0,
  });
  return trim(await inOrder(search, query, fused), topK);
}

/** The query's vector, or why there is none while keywords can answer instead. */
async function embedQuery(
  { options, deadlineMs, signal }: GenerationSearch,
  embedder: Embedder,
  query: string,
): Promise<Float32Array | Degraded> {
  try {
    const embedded = embedChecked(embedder, [query], { kind: 'query', signal });
    const vectors = await within(deadlineMs, embedded);
    if (vectors !== late && vectors[0]) return vectors[0];
    if (options.mode === 'hybrid') return 'embedder-slow';
    const message = `embedder '${embedder.id}' did not answer in time.`;
    throw new KnowledgeError({ code: 'embedder-failed', message });
  } catch (error) {
    if (options.mode === 'meaning' || !(error instanceof KnowledgeError)) throw error;
    return 'embedder-failed';
  }
}

async function inOrder(
  { generation, options, signal }: GenerationSearch,
  query: string,
  fused: readonly FusedHit[],
): Promise<Iterable<FoundPassage>> {
  const { rerank, logger } = options;
  if (!rerank) return read(generation, fused);
  const found = [...read(generation, fused.slice(0, candidates))];
  const hits = found.map((passage, at) => toSearchHit(generation, passage, at));
  try {
    const ordered = await rerank(query, hits, { signal });
    return ordered.flatMap(({ id }) => found.find(({ record }) => record.id === id) ?? []);
  } catch {
    logger.error('rerank threw; the order was left as it was.');
    return found;
  }
}

/** Texts are read as they are needed: of most lookups, only those that are returned. */
function* read(generation: Generation, fused: readonly FusedHit[]): Generator<FoundPassage> {
  for (const { passage, keywordScore, similarity } of fused) {
    const record = generation.passages.record(passage);
    yield { record, text: generation.passages.text(passage), keywordScore, similarity };
  }
}
