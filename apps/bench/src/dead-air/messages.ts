/** What the server's process is told: which share of the requests hangs, and which fails. */
export interface Faults {
  readonly hanging: number;
  readonly failing: number;
  /** The same seed, the same requests. */
  readonly seed: number;
}

/** What the server's process tells: where it listens, or the texts whose requests it answered. */
export type ServerMessage = { readonly url: string } | { readonly answered: readonly string[] };

export function isFaults(message: unknown): message is Faults {
  return typeof message === 'object' && message !== null && 'hanging' in message;
}
