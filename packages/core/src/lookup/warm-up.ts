import type { Generation } from '../index/generation.js';
import type { VectorSearch } from '../index/vector-search.js';
import { queryTerms } from '../language/tokens.js';
import { toLookupPassage } from './found-passage.js';
import { fuse } from './fuse.js';
import { trim } from './trim.js';

const queryLength = 24;
const candidates = 20;
const taken = 3;

/**
 * Looks something up by meaning, so that the first caller does not wait for code to be compiled and for vectors
 * to be mapped: the first such lookup of a process takes several times as long as the second. Keywords alone
 * hardly gain. What is wrong with a passage is left to the lookup that meets it.
 */
export function warmUp(generation: Generation): void {
  const { passages, vectors } = generation;
  if (!vectors || passages.count === 0) return;
  try {
    rehearse(generation, vectors);
  } catch {
    // Lookups tell.
  }
}

function rehearse(generation: Generation, vectors: VectorSearch): void {
  const { passages, keywords, manifest } = generation;
  const query = passages.text(0).slice(0, queryLength);
  const terms = queryTerms(query, manifest.tokenizer.language);
  const vector = someVector(vectors.dimensions);
  const fused = fuse('weighted', {
    keywords: keywords.search(terms, candidates),
    // One, for a vector into nowhere is as far from all of them, and equals are all read.
    meanings: vectors.nearest(vector, 1),
    ideal: keywords.ideal(terms),
    weight: 0.5,
    similarity: (passage) => vectors.similarity(vector, passage),
  });
  const found = fused.map(({ passage, ...scores }) => ({
    record: passages.record(passage),
    text: passages.text(passage),
    ...scores,
  }));
  for (const hit of trim(found, taken)) toLookupPassage(generation, hit);
}

/** A unit vector into no direction in particular. */
function someVector(dimensions: number): Float32Array {
  const size = 1 / Math.sqrt(dimensions);
  return Float32Array.from({ length: dimensions }, (_, at) => (at % 3 === 0 ? size : -size));
}
