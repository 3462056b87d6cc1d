import QuickLRU from 'quick-lru';

import { queryWords } from './query-words.js';
import type { GenerationResult, GenerationSearch } from './search-generation.js';

/** Figures of a base's results that are kept for the next who asks the same. Counts are of this process. */
export interface CacheStatus {
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
}

type KeptResult = Pick<GenerationResult, 'found' | 'prefetched'>;

/** What searches found, by generation, words and number of passages. What had to do without something is not kept. */
export class ResultCache {
  readonly #results: QuickLRU<string, KeptResult> | undefined;
  #hits = 0;
  #misses = 0;

  /** Keeps at least `size` results and at most twice as many; none at 0. */
  constructor(size: number) {
    this.#results = size === 0 ? undefined : new QuickLRU({ maxSize: size });
  }

  status(): CacheStatus {
    return { entries: this.#results?.size ?? 0, hits: this.#hits, misses: this.#misses };
  }

  /** The result of an equal search that was kept, else of `run`. */
  async find(
    { generation, topK, query, prefetch }: GenerationSearch,
    run: () => Promise<GenerationResult> | GenerationResult,
  ): Promise<GenerationResult> {
    if (!this.#results) return run();
    const key = `${generation.manifest.generation} ${topK} ${queryWords(query)}`;
    const kept = this.#results.get(key);
    if (kept) {
      this.#hits++;
      return { ...kept, whole: true, cached: true };
    }
    this.#misses++;
    const result = await run();
    const { found, prefetched = prefetch, whole } = result;
    if (whole) this.#results.set(key, { found, prefetched });
    return result;
  }
}
