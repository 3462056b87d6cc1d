import type { BlockKind, Position } from '../documents/source.js';
import type { Mode } from '../mode.js';

/** Options of one `lookUp` or `search`. */
export interface LookupOptions {
  /** Ends the lookup at once. */
  readonly signal?: AbortSignal | undefined;
  /** The longest it takes, in milliseconds: 1–60000; default: the base's `deadlineMs`. */
  readonly deadlineMs?: number | undefined;
  /** The most passages to return: 1–20; default: the base's `topK`. Values outside are brought inside. */
  readonly topK?: number | undefined;
  /** What was said just before, for questions that lean on it. Searches do not use it yet. */
  readonly context?: string | undefined;
}

/** Options of one `prefetch`. */
export interface PrefetchOptions {
  /** Whose words they are: newer words take the place of older ones of the same session. Default: one for all. */
  readonly session?: string | undefined;
}

/** A passage as the model gets it. */
export interface LookupPassage {
  readonly text: string;
  /** File name of the document, never a path: an agent may say it aloud. */
  readonly source: string;
  /** Headings above the passage, outermost first, parted by " › ". */
  readonly heading?: string;
  /** Cosine similarity; keyword hits have none. */
  readonly score?: number;
}

/** What a lookup gives the model: passages (perhaps with a note on them), none, or that it could not search. */
export type LookupResult =
  | { readonly results: readonly LookupPassage[]; readonly note?: string }
  | { readonly error: 'lookup unavailable' };

/** Where a passage comes from, for screens; the model does not see it. */
export interface Citation {
  /** Name of the document inside its source, for example `policies/refunds.md`. */
  readonly document: string;
  readonly title: string;
  /** The passage as it stands in the document. */
  readonly raw: string;
  /** Pages from 1, or times in milliseconds. */
  readonly position?: Position;
}

/** A passage as a command line, an evaluation or a screen gets it. */
export interface SearchHit extends LookupPassage {
  /** 1 for the best. */
  readonly rank: number;
  /** Place of the passage in its generation. */
  readonly id: number;
  readonly kind: BlockKind;
  /** BM25; comparable inside one outcome only. */
  readonly keywordScore?: number;
  /** Length in cl100k tokens. */
  readonly tokens: number;
  readonly citation: Citation;
}

/** Why a search could not be made. */
export type UnavailableReason = 'not-started' | 'aborted' | 'failed';

/** How a lookup ended: passages, none although it searched, or it could not search. */
export type LookupStatus = 'found' | 'nothing' | 'unavailable';

/**
 * Why a hybrid lookup was answered by keywords alone: its embedder failed, gave no answer by the deadline,
 * or was not asked. It is not asked while it is left alone after many failures, nor beyond 256 calls at once.
 */
export type Degraded = 'embedder-failed' | 'embedder-paused' | 'embedder-slow';

/** How a lookup ended, whatever form its results have. */
export interface Outcome<Result> {
  readonly status: LookupStatus;
  readonly results: readonly Result[];
  readonly mode: Mode;
  /** The index that answered. */
  readonly generation?: string | undefined;
  /** Answered by keywords alone, and why. */
  readonly degraded?: Degraded | undefined;
  /** The results, or the embedding of the query, were at hand from an earlier lookup or prefetch. */
  readonly cached: boolean;
  /** A prefetch had begun the work. */
  readonly prefetched: boolean;
  /** With status `unavailable`: why. */
  readonly reason?: UnavailableReason | undefined;
  readonly ms: number;
}

/** The rich form of a lookup. */
export type SearchOutcome = Outcome<SearchHit>;
