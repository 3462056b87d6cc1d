import type { Mode } from '../mode.js';
import type { Degraded, LookupStatus } from './lookup-result.js';

/** What is told of each lookup: counts and times, never the query or a passage. */
export interface LookupEvent {
  readonly base: string;
  readonly tenant: string | undefined;
  readonly mode: Mode;
  /** The index that answered; `undefined` when none was loaded. */
  readonly generation: string | undefined;
  readonly status: LookupStatus;
  /** How many passages were returned. */
  readonly count: number;
  /** Answered by keywords alone, and why. */
  readonly degraded: Degraded | undefined;
  /** The results, or the embedding of the query, were at hand. */
  readonly cached: boolean;
  /** A prefetch had begun the work. */
  readonly prefetched: boolean;
  readonly ms: number;
}
