import QuickLRU from 'quick-lru';

import type { Embedder } from '../embedder.js';
import type { ResolvedOptions } from '../options.js';
import { type Attempt, Breaker, type BreakerState, type CallEnd } from './breaker.js';
import { type Deadline, late } from './deadline.js';
import { EmbedCall } from './embed-call.js';
import type { Degraded } from './lookup-result.js';
import { queryWords } from './query-words.js';

/** More calls than this at once mean that something is wrong with the embedder, or with who asks. */
const mostCalls = 256;
const shortestBoundMs = 10_000;
/** A call is broken off after this many deadlines. */
const boundInDeadlines = 4;

/** The vector of a query, and where it came from. */
export interface QueryVector {
  readonly vector: Float32Array;
  /** It was at hand. */
  readonly cached: boolean;
  /** A prefetch had asked for it. */
  readonly prefetched: boolean;
}

/** How the embedder of a base is doing. Counts are since its start. */
export interface EmbedderStatus {
  /** `closed`: lookups wait for the embedder. `open`: they do not. `probing`: a call is trying it again. */
  readonly breaker: BreakerState;
  /** Calls that are out now. */
  readonly inFlight: number;
  readonly calls: number;
  readonly failed: number;
  /** Calls that had no answer within the deadline, whatever came later. */
  readonly late: number;
  /** Embeddings of queries that are kept. */
  readonly cached: number;
}

type KeptVector = Omit<QueryVector, 'cached'>;

/** What a call is wanted for. */
interface Wanted {
  readonly query: string;
  readonly words: string;
  readonly lateAt: number;
  readonly prefetched: boolean;
}

/**
 * A base's embedder as its lookups use it: queries in, vectors or a reason for doing without out, always
 * by the deadline. Lookups for the same words share a call and its vector, and an embedder that keeps
 * failing is left alone for a while.
 */
export class QueryEmbedder {
  readonly embedder: Embedder;
  readonly #deadlineMs: number;
  readonly #breaker: Breaker;
  readonly #kept: QuickLRU<string, KeptVector> | undefined;
  /** Calls by the words they are for, while it is worth waiting for them. */
  readonly #joinable = new Map<string, EmbedCall>();
  /** All calls that are out, oldest first. */
  readonly #calls = new Set<EmbedCall>();
  readonly #counts = { calls: 0, failed: 0, late: 0 };
  #closed = false;

  constructor(
    embedder: Embedder,
    { deadlineMs, cacheSize }: Pick<ResolvedOptions, 'deadlineMs' | 'cacheSize'>,
    breaker: Breaker = new Breaker(),
  ) {
    this.embedder = embedder;
    this.#deadlineMs = deadlineMs;
    this.#breaker = breaker;
    this.#kept = cacheSize === 0 ? undefined : new QuickLRU({ maxSize: cacheSize });
  }

  status(): EmbedderStatus {
    return {
      breaker: this.#breaker.state,
      inFlight: this.#calls.size,
      ...this.#counts,
      cached: this.#kept?.size ?? 0,
    };
  }

  /** The vector of a query, or why there is none. Rejects only when the deadline's signal aborts. */
  async embed(
    query: string,
    deadline: Deadline,
    prefetched: boolean = false,
  ): Promise<QueryVector | Degraded> {
    const words = queryWords(query);
    const kept = this.#kept?.get(words);
    if (kept) return { ...kept, cached: true };
    // An impatient lookup says nothing of the embedder: then the deadline of the base counts.
    const lateAt = deadline.endsAt + Math.max(0, this.#deadlineMs - deadline.limitMs);
    const call = this.#callFor({ words, query, lateAt, prefetched });
    if (!call) return 'embedder-paused';
    try {
      const vector = await call.wait(deadline);
      if (vector === late) return 'embedder-slow';
      return { vector, cached: false, prefetched: call.prefetched };
    } catch (error) {
      if (deadline.aborted) throw error;
      return 'embedder-failed';
    }
  }

  /** Breaks off the calls that no lookup waits for, and releases the embedder when the others have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls) call.abandon();
    await Promise.allSettled([...this.#calls].map(({ vector }) => vector));
    await this.embedder.close?.();
  }

  /** The call to wait for; none while the embedder is left alone, though then a probe may begin. */
  #callFor(wanted: Wanted): EmbedCall | undefined {
    const running = this.#joinable.get(wanted.words);
    if (running && !running.brokenOff && this.#breaker.state === 'closed') return running;
    const attempt = this.#closed ? undefined : this.#breaker.begin();
    if (!attempt) return undefined;
    if (!this.#hasRoom()) {
      attempt.end('aborted');
      return undefined;
    }
    const begun = this.#begin(wanted, attempt);
    return attempt.probe ? undefined : begun;
  }

  #begin({ words, query, lateAt, prefetched }: Wanted, attempt: Attempt): EmbedCall {
    const longestMs = Math.max(shortestBoundMs, boundInDeadlines * (lateAt - performance.now()));
    const onEnd = (how: CallEnd): void => {
      attempt.end(how);
      if (how === 'failed' || how === 'late') this.#counts[how]++;
      if (this.#joinable.get(words) === call) this.#joinable.delete(words);
    };
    const call = new EmbedCall(this.embedder, { query, lateAt, longestMs, prefetched, onEnd });
    this.#counts.calls++;
    this.#calls.add(call);
    this.#joinable.set(words, call);
    call.vector
      .then((vector) => this.#kept?.set(words, { vector, prefetched }))
      .catch(() => undefined)
      .finally(() => this.#calls.delete(call));
    return call;
  }

  /** Room for one more call; when there is none, the oldest that nobody waits for gives way. */
  #hasRoom(): boolean {
    if (this.#calls.size < mostCalls) return true;
    for (const call of this.#calls) {
      if (call.awaited) continue;
      call.breakOff();
      this.#calls.delete(call);
      return true;
    }
    return false;
  }
}
