import { createHash } from 'node:crypto';

/** One way for a request to go wrong. */
export type Fault =
  /** Answers late. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Answers once the promise has settled. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }
  /** An error status, with a body that quotes the request; the seconds may be a fraction. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  /** No answer at all; a reset connection; half an answer, then a closed connection or nothing more. */
  | { readonly kind: 'hang' | 'reset' | 'half-body' | 'stall' }
  /** Says JSON and sends something else that quotes the request. */
  | { readonly kind: 'not-json' }
  /** Embeddings: vectors one number short, the last one missing, all said to be the first, NaN in each. */
  | { readonly kind: 'wrong-dimension' | 'wrong-count' | 'same-index' | 'not-a-number' }
  /** Embeddings: a right answer, last vector first. */
  | { readonly kind: 'out-of-order' };

/** On the next `times` requests, or on each one with a `probability` (0–1) that `seed` repeats. */
export type FaultSchedule =
  | { readonly times: number }
  | { readonly probability: number; readonly seed: number };

/** Decides request by request; counted faults come first, in the order they were asked for. */
export class FaultPlan {
  readonly #counted: Fault[] = [];
  readonly #random: { readonly fault: Fault; readonly happens: () => boolean }[] = [];

  add(fault: Fault, schedule: FaultSchedule): void {
    if ('times' in schedule) {
      this.#counted.push(...Array.from({ length: schedule.times }, () => fault));
    } else {
      const { probability, seed } = schedule;
      let count = 0;
      const draw = (): Buffer => createHash('sha256').update(`${seed}:${count++}`).digest();
      const happens = (): boolean => draw().readUInt32LE() < probability * 2 ** 32;
      this.#random.push({ fault, happens });
    }
  }

  next(): Fault | undefined {
    return this.#counted.shift() ?? this.#random.find(({ happens }) => happens())?.fault;
  }
}
