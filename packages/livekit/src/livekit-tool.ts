import { type Session, type ToolOutcome, ToolRegistry, type ToolSpec } from '@cuecard/core/tools';
import { llm, type voice } from '@livekit/agents';

import { announced } from './announce.js';
import { type CallOptions, callSession } from './call-session.js';
import { endCall, type EndCall } from './end-call.js';
import { logError } from './log-error.js';

/** A tool as LiveKit agents take it; `State` is the `userData` of their session. */
export type LiveKitTool<State = unknown> = llm.FunctionTool<
  Parameters<llm.FunctionTool['execute']>[0],
  State
>;

/** Options of {@link liveKitTool} and {@link liveKitTools}. */
export interface LiveKitToolOptions<State = unknown> {
  /** What is known of the call. */
  readonly session?: CallOptions | undefined;
  /**
   * Called when a tool has returned `end()` and the agent has spoken its reply; before the reply where a realtime
   * model replies to tools unasked (its capability `autoToolReplyGeneration`). Default: the session is shut down.
   */
  readonly onEnd?: EndCall<State> | undefined;
}

/** How an adapter carries on when a tool has returned `next()`; gives what LiveKit takes as the tool's result. */
export type Handover<State> = (
  outcome: Extract<ToolOutcome, { kind: 'next' }>,
  context: voice.RunContext<State>,
) => unknown;

/** The task a tool runs in. */
export interface ToolTask<State> {
  readonly name: string;
  readonly handover: Handover<State>;
}

/**
 * A tool for `new voice.Agent({ tools: [...] })`: of a base (`kb.tool()`) or of your own (`tool()`). It keeps its own
 * deadline, checks its arguments, always gives the model something to read, and speaks its announce line when the
 * wait is real. `next()` needs a plan, see `liveKitAgents`: here the model reads its value, the call stays where it is,
 * and an error is logged. A name that models do not take throws `options-invalid`.
 */
export function liveKitTool<State = unknown>(
  spec: ToolSpec<unknown, Session<State>>,
  options: LiveKitToolOptions<State> = {},
): LiveKitTool<State> {
  return adaptTool(new ToolRegistry([spec]), spec, options);
}

/**
 * {@link liveKitTool} for each tool of a registry or a list. A name that is wrong or there twice throws
 * `options-invalid`.
 */
export function liveKitTools<State = unknown>(
  tools: ToolRegistry<Session<State>> | Iterable<ToolSpec<unknown, Session<State>>>,
  options: LiveKitToolOptions<State> = {},
): LiveKitTool<State>[] {
  const registry = 'list' in tools ? tools : new ToolRegistry(tools);
  return registry.list().map((spec) => adaptTool(registry, spec, options));
}

/** A tool of the registry, bound to its task where there is a plan. */
export function adaptTool<State>(
  registry: ToolRegistry<Session<State>>,
  spec: ToolSpec<unknown, Session<State>>,
  options: LiveKitToolOptions<State>,
  task?: ToolTask<State>,
): LiveKitTool<State> {
  const { name, description } = spec;
  let isWarned = false;
  // LiveKit's type of a JSON Schema has no read-only lists.
  const parameters: LiveKitTool['parameters'] = JSON.parse(JSON.stringify(spec.parameters));
  return llm.tool<State, typeof parameters>({
    name,
    description,
    parameters,
    execute: async (args, { ctx, abortSignal }) => {
      const signal = abortSignal;
      if (!inSession(ctx)) return resultOf(await registry.run(name, args, { signal }));
      const session = callSession(ctx.session, options.session, task?.name);
      const outcome = await announced(spec, ctx, session, () =>
        registry.run(name, args, { signal, session }),
      );
      if (outcome.kind === 'next') {
        if (task) return task.handover(outcome, ctx);
        if (!isWarned)
          logError(`Tool '${name}' returned next() outside of a plan; the call stays where it is.`);
        isWarned = true;
      }
      if (outcome.kind === 'end') endCall(outcome.handoff, ctx, options.onEnd);
      return resultOf(outcome);
    },
  });
}

/** `llm.executeToolCall` runs tools without a session, whatever the types say. */
function inSession(context: Partial<voice.RunContext>): boolean {
  return context.session !== undefined;
}

/** What the model reads; an error by the one way that LiveKit passes on, so that it counts as one. */
function resultOf(outcome: ToolOutcome): unknown {
  if (outcome.kind !== 'error') return outcome.value;
  const error = new llm.ToolError(JSON.stringify(outcome.value));
  error.cause = outcome.cause;
  throw error;
}
