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
  /** What a hybrid lookup had to do without. */
  readonly degraded: Degraded | undefined;
  readonly ms: number;
}
