const marker: unique symbol = Symbol.for('cuecard.Transition');

/** What `next()` and `end()` make: a way for a tool to steer the call. */
export interface Transition {
  readonly [marker]: true;
  readonly kind: 'next' | 'end';
  readonly task?: string;
  readonly handoff?: unknown;
  readonly value?: unknown;
}

/** Returned from a tool's `run`: the call goes on in `task`, and the model reads `value`. */
export function next(task: string, value?: unknown): Transition {
  return { [marker]: true, kind: 'next', task, value };
}

/** Returned from a tool's `run`: the call ends with `handoff` for whoever takes over, and the model reads `value`. */
export function end(handoff?: unknown, value?: unknown): Transition {
  return { [marker]: true, kind: 'end', handoff, value };
}

/** Whether a tool returned what `next()` or `end()` made, of this copy of the package or another. */
export function isTransition(value: unknown): value is Transition {
  return typeof value === 'object' && value !== null && marker in value;
}
