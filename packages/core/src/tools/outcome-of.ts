import { type JsonObject, isJsonObject, toJson } from './json.js';
import { toolFailure } from './tool-failure.js';
import type { ToolOutcome } from './tool-outcome.js';
import { isTransition } from './transition.js';

/**
 * The outcome of what a tool's `run` returned. Throws on what JSON cannot carry.
 *
 * | returned | the model reads |
 * | --- | --- |
 * | an object | the object |
 * | a string, number, boolean, array or null | `{ result: … }` |
 * | nothing, or an object with nothing in it | `{ result: 'done' }` |
 * | an `Error` | the error `failed` |
 */
export function outcomeOf(returned: unknown): ToolOutcome {
  if (returned instanceof Error) return toolFailure('failed', { cause: returned });
  if (!isTransition(returned)) return { kind: 'result', value: readable(returned) };
  const value = readable(returned.value);
  if (returned.kind === 'next') return { kind: 'next', value, task: String(returned.task) };
  const handoff = toJson(returned.handoff);
  return { kind: 'end', value, ...(handoff === undefined ? {} : { handoff }) };
}

function readable(value: unknown): JsonObject {
  const json = toJson(value);
  if (json === undefined) return { result: 'done' };
  if (!isJsonObject(json)) return { result: json };
  return Object.keys(json).length === 0 ? { result: 'done' } : json;
}
