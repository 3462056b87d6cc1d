import { parseWithSchema } from './json-schema-arguments.js';
import { type JsonObject, isJsonObject, parseJson, toJson } from './json.js';
import { outcomeOf } from './outcome-of.js';
import { ToolError } from './tool-error.js';
import { toolFailure } from './tool-failure.js';
import type { ToolOutcome } from './tool-outcome.js';
import type { ToolContext, ToolSpec } from './tool.js';

/**
 * Runs a tool for a model. Never rejects, ends within the tool's `timeoutMs` or as soon as the signal of the context is
 * aborted, and always gives the model something to read. `args` is what the model sent: an object, or its JSON text.
 */
export async function runTool<S>(
  spec: ToolSpec<unknown, S>,
  args: unknown,
  context: ToolContext<S> | null = {},
): Promise<ToolOutcome> {
  const sent = readArguments(args);
  if (!sent) return toolFailure('bad-arguments');
  // A program without types may pass null.
  const { signal, session } = context ?? {};
  if (signal?.aborted) return toolFailure('cancelled');
  const running = new AbortController();
  const work = attempt(spec, sent, { signal: running.signal, session });
  const first = await firstOf(work, spec.timeoutMs, signal);
  if (typeof first !== 'string') return first;
  running.abort(stopReason(first, signal));
  return toolFailure(first, { mayTakeEffect: !spec.readOnly });
}

type Stop = 'timeout' | 'cancelled';

/** What comes first: the end of the work, the time, or the signal. */
async function firstOf<T>(
  work: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T | Stop> {
  // A signal may live as long as a call: `AbortSignal.any` would pile up on it.
  const over = new AbortController();
  const stop = new Promise<Stop>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, 'timeout');
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    const cancel = (): void => resolve('cancelled');
    signal?.addEventListener('abort', cancel, { signal: over.signal });
  });
  try {
    return await Promise.race([work, stop]);
  } finally {
    over.abort();
  }
}

function stopReason(stop: Stop, signal: AbortSignal | undefined): unknown {
  const late = new DOMException('The tool did not answer in time.', 'TimeoutError');
  return stop === 'timeout' ? late : signal?.reason;
}

/** Models send an object, its text, or nothing at all for no arguments. */
function readArguments(args: unknown): JsonObject | undefined {
  try {
    const value = typeof args === 'string' ? parseJson(args.trim() || '{}') : toJson(args ?? {});
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One run, without a limit; does not reject. */
async function attempt<S>(
  spec: ToolSpec<unknown, S>,
  sent: JsonObject,
  context: ToolContext<S>,
): Promise<ToolOutcome> {
  try {
    const parsed = await (spec.parse ? spec.parse(sent) : parseWithSchema(spec.parameters, sent));
    if (!parsed) return toolFailure('bad-arguments');
    if (context.signal?.aborted) return toolFailure('cancelled');
    return outcomeOf(await spec.run(parsed.args, context));
  } catch (thrown) {
    return thrownOutcome(thrown);
  }
}

function thrownOutcome(thrown: unknown): ToolOutcome {
  try {
    const said = thrown instanceof ToolError ? forModel(thrown.message) : undefined;
    return toolFailure('failed', { said, cause: thrown });
  } catch {
    return toolFailure('failed');
  }
}

/** At most 500 characters, none of them half; `undefined` when nothing is said. */
function forModel(message: unknown): string | undefined {
  const text = typeof message === 'string' ? message.trim().slice(0, 500) : '';
  return text === '' ? undefined : text.replace(/[\ud800-\udbff]$/, '');
}
