import type { StandardSchemaV1 } from '@standard-schema/spec';

import { type Announce, type ToolAnnounce, resolveAnnounce } from './announce.js';
import { assertToolName, invalidTool, isMilliseconds } from './invalid-tool.js';
import { readParameters } from './read-parameters.js';
import type { ParseArguments, ToolParameters, ToolSchema } from './tool-parameters.js';

/** What a host gives a tool run: cancellation, and the call it runs in. */
export interface ToolContext<S = unknown> {
  readonly signal?: AbortSignal | undefined;
  readonly session?: S | undefined;
}

/** What a tool's `run` gets beside its arguments. */
export interface RunContext<S = unknown> {
  /** Aborted when the tool's time is up or the call no longer needs it. */
  readonly signal: AbortSignal;
  /** The call. A host that has none gives none: then it is `undefined` whatever its type says. */
  readonly session: S;
}

/** A function a model may call, free of any framework. `tool()` makes one. */
export interface ToolSpec<Args = unknown, S = unknown, Result = unknown> {
  /** `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  /** Spoken when the wait is real. */
  readonly announce?: ToolAnnounce<S> | undefined;
  /** How long a run may take, in milliseconds: 1–60000. */
  readonly timeoutMs: number;
  /** Whether it can be stopped and run again without harm. */
  readonly readOnly: boolean;
  /** What `run` takes of the arguments a model sent; `undefined` when they do not fit. Omitted: `parameters` is checked. */
  readonly parse?: ParseArguments | undefined;
  /** Hosts call it through `runTool`, which checks the arguments, bounds the wait and never rejects. */
  run(args: Args, context?: ToolContext<S>): Result | Promise<Result>;
}

/** Options of {@link tool}. */
export interface ToolOptions<Parameters, Args, S, Result> {
  /** `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  /** What the tool does and when to use it; the model reads it. */
  readonly description: string;
  /**
   * What the tool takes: a schema library's object schema that can give its JSON Schema (zod 4.2 or newer), or a JSON
   * Schema (draft 2020-12) of type `object`.
   */
  readonly parameters: Parameters;
  /** Spoken when the wait is real. Default: nothing is said. */
  readonly announce?: Announce<S> | undefined;
  /** How long a run may take, in milliseconds: 1–60000. Default 5000. */
  readonly timeoutMs?: number | undefined;
  /** Whether it can be stopped and run again without harm. Default `false`. */
  readonly readOnly?: boolean | undefined;
  /**
   * What it does. The model reads what it returns; `next()` and `end()` steer the call. The model reads nothing of what it
   * throws, but for a `ToolError`.
   */
  run(args: Args, context: RunContext<S>): Result | Promise<Result>;
}

/**
 * Makes a tool of a function. With a schema the arguments have its type; with a JSON Schema give their type yourself:
 * `tool<{ booking: string }>({ … })`. A wrong option, or a schema that has no strict form, throws `options-invalid`.
 */
export function tool<Schema extends ToolSchema, S = unknown, Result = unknown>(
  options: ToolOptions<Schema, StandardSchemaV1.InferOutput<Schema>, S, Result>,
): ToolSpec<StandardSchemaV1.InferOutput<Schema>, S, Result>;
export function tool<Args = Readonly<Record<string, unknown>>, S = unknown, Result = unknown>(
  options: ToolOptions<ToolSchema<unknown, Args> | object, Args, S, Result>,
): ToolSpec<Args, S, Result>;
export function tool<Args, S, Result>(
  options: ToolOptions<object, Args, S, Result>,
): ToolSpec<Args, S, Result> {
  const { name, description, timeoutMs = 5_000, readOnly = false } = options;
  assertToolName(name);
  const subject = `Tool '${name}'`;
  if (typeof description !== 'string' || description.trim() === '')
    throw invalidTool(subject, 'description', 'a sentence or more for the model');
  if (!isMilliseconds(timeoutMs, 1))
    throw invalidTool(subject, 'timeoutMs', 'a whole number from 1 to 60000 milliseconds');
  if (typeof options.run !== 'function') throw invalidTool(subject, 'run', 'a function');
  const announce = resolveAnnounce(options.announce, subject);
  return {
    name,
    description,
    ...readParameters(options.parameters, subject),
    ...(announce === undefined ? {} : { announce }),
    timeoutMs,
    readOnly,
    run: options.run.bind(options),
  };
}
