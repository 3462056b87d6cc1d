/** What was said in a call so far: one line of it. */
export interface SessionTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** One call, the same on every host: tools, instructions and announce lines get it. */
export interface Session<State = unknown> {
  /** The host's own id of the call. */
  readonly id: string;
  /** Who the call belongs to where one process serves several. */
  readonly tenant?: string | undefined;
  /** The task that the call is in, where there is a plan. */
  readonly task?: string | undefined;
  /** The agent's own data, kept for the length of the call. */
  state: State;
  /** Oldest first. */
  readonly history: readonly SessionTurn[];
}
