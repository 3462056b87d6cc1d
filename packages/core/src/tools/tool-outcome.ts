import type { JsonObject, JsonValue } from './json.js';

/**
 * Why a tool gave the model an error.
 *
 * | reason | meaning |
 * | --- | --- |
 * | `bad-arguments` | the arguments do not fit the tool's parameters; `run` was not called |
 * | `timeout` | no answer within the tool's `timeoutMs` |
 * | `failed` | `run` threw, or returned what JSON cannot carry |
 * | `unknown-tool` | there is no such tool, or not in this task |
 * | `cancelled` | the signal of the call ended it |
 */
export type ToolFailure = 'bad-arguments' | 'timeout' | 'failed' | 'unknown-tool' | 'cancelled';

/** How a tool ended. `value` is what the model reads: an object that is never empty. */
export type ToolOutcome =
  | { readonly kind: 'result'; readonly value: JsonObject }
  | {
      readonly kind: 'error';
      readonly value: JsonObject;
      readonly reason: ToolFailure;
      /** What was thrown, for the host's own eyes: it may hold anything. */
      readonly cause?: unknown;
    }
  /** The call goes on in another task. */
  | { readonly kind: 'next'; readonly value: JsonObject; readonly task: string }
  /** The call ends; `handoff` is for whoever takes over. */
  | { readonly kind: 'end'; readonly value: JsonObject; readonly handoff?: JsonValue };
