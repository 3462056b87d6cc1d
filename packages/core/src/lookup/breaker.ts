/** How a call to an embedder ended. A late one ends when it is late, whatever comes of it. */
export type CallEnd = 'answered' | 'failed' | 'late' | 'aborted';

/** Whether lookups wait for the embedder: `closed`. Or not, with a call on its way that tries it again: `probing`. */
export type BreakerState = 'closed' | 'open' | 'probing';

/** A call that a breaker let through; its end must be told. */
export interface Attempt {
  /** It tries whether the embedder is well again: nobody should wait for it. */
  readonly probe: boolean;
  /** To be called once. */
  readonly end: (how: CallEnd) => void;
}

/** Where a breaker gets its time and its chance. */
export interface BreakerClock {
  /** Milliseconds. */
  readonly now: () => number;
  /** A number in [0, 1). */
  readonly random: () => number;
}

const fewestJudged = 20;
/** Where many calls run at once, those that hang end in clusters; a second's calls hold enough of the others. */
const judgedMs = 1_000;
const fewestBad = 10;
const firstPauseMs = 2_000;
const longestPauseMs = 60_000;
/** A pause is shortened by up to this share, so that processes do not all try at once. */
const jitter = 0.2;

/** A call that has ended. */
interface Ended {
  readonly at: number;
  readonly bad: boolean;
}

/**
 * Opens when half of the last 20 calls failed or were late, or half of those that ended in the last second
 * where these are more; 10 at least. While it is open, one call at a time is let through as a probe, after a
 * pause of 2 s that doubles to 60 s. A good probe closes it.
 */
export class Breaker {
  readonly #clock: BreakerClock;
  /** The calls it judges by, oldest first. A new list begins with every change of state. */
  #judged: Ended[] = [];
  #state: BreakerState = 'closed';
  #pauseMs = firstPauseMs;
  #probeAt = 0;

  constructor(clock: BreakerClock = { now: () => performance.now(), random: Math.random }) {
    this.#clock = clock;
  }

  get state(): BreakerState {
    return this.#state;
  }

  /** Leave for one call, or none now. */
  begin(): Attempt | undefined {
    if (this.#state === 'closed') {
      const judged = this.#judged;
      return { probe: false, end: (how) => this.#judge(judged, how) };
    }
    if (this.#state === 'probing' || this.#clock.now() < this.#probeAt) return undefined;
    this.#state = 'probing';
    return { probe: true, end: (how) => this.#judgeProbe(how) };
  }

  /** Calls that began before the last change of state say nothing of now. */
  #judge(judged: Ended[], how: CallEnd): void {
    if (judged !== this.#judged || how === 'aborted') return;
    const now = this.#clock.now();
    judged.push({ at: now, bad: how !== 'answered' });
    const kept = judged.findIndex(({ at }) => at >= now - judgedMs);
    judged.splice(0, Math.min(kept, judged.length - fewestJudged));
    const bad = judged.filter((ended) => ended.bad).length;
    if (bad >= Math.max(fewestBad, judged.length / 2)) this.#open(firstPauseMs);
  }

  #judgeProbe(how: CallEnd): void {
    if (how === 'answered') this.#state = 'closed';
    else if (how === 'aborted') this.#state = 'open';
    else this.#open(Math.min(2 * this.#pauseMs, longestPauseMs));
  }

  #open(pauseMs: number): void {
    this.#judged = [];
    this.#state = 'open';
    this.#pauseMs = pauseMs;
    this.#probeAt = this.#clock.now() + pauseMs * (1 - jitter * this.#clock.random());
  }
}
