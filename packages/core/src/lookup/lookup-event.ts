import type { Mode } from '../options.js';

/** How a lookup ended: passages, none although it searched, or it could not search. */
export type LookupStatus = 'found' | 'nothing' | 'unavailable';

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
  readonly ms: number;
}
