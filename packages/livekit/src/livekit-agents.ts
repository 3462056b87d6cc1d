import type { JsonObject, Session, TaskPlan } from '@cuecard/core/tools';
import { llm, voice } from '@livekit/agents';

import { callSession } from './call-session.js';
import { carriedHistory } from './carried-history.js';
import { keepHandoff } from './keep-handoff.js';
import { adaptTool, type Handover, type LiveKitToolOptions } from './livekit-tool.js';
import { logError } from './log-error.js';

/** Options of {@link liveKitAgents}. */
export interface LiveKitAgentsOptions<State = unknown> extends LiveKitToolOptions<State> {
  /**
   * The `userData` that the `AgentSession` gets. Needed before the call begins only where instructions are functions
   * of the session's state.
   */
  readonly state?: State | undefined;
  /**
   * Makes the agent of a task. Pass the options on, with your own additions. An `onEnter` of your class speaks in
   * place of the reply that is generated after a hand-off. Default: `new voice.Agent(options)`.
   */
  readonly create?:
    | ((task: string, options: voice.AgentOptions<State>) => voice.Agent<State>)
    | undefined;
}

/** The agents of one call. */
export interface LiveKitAgents<State = unknown> {
  /** The agent of the task that the call begins in, for `session.start({ agent })`. */
  readonly start: voice.Agent<State>;
  /** By task. */
  readonly agents: ReadonlyMap<string, voice.Agent<State>>;
}

/**
 * One LiveKit agent for each task of a plan. Make them once per call: agents hold its history. A model sees the tools
 * of its own task and the shared ones. After `go_to_<task>` the next agent has the history of the whole call, results
 * of tools included, and speaks at once. Throws what an instructions function throws.
 */
export function liveKitAgents<State = unknown>(
  plan: TaskPlan<Session<State>>,
  options: LiveKitAgentsOptions<State> = {},
): LiveKitAgents<State> {
  const { create = (_, made) => new voice.Agent(made) } = options;
  const agents = new Map<string, voice.Agent<State>>();
  const values = new Map<string, JsonObject>();

  const handover: Handover<State> = ({ task, value }, context) => {
    const agent = agents.get(task);
    if (agent === undefined || agent === context.session.currentAgent) return value;
    const { id, name } = context.functionCall;
    if (name !== `go_to_${task}`) values.set(id, value);
    keepHandoff(context, agent);
    // With a `returns`, the agent that hands over would speak once more.
    return llm.handoff({ agent });
  };

  const agentOf = (name: string): voice.Agent<State> => {
    const task = { name, handover };
    const registry = plan.registry(name);
    const tools = registry.list().map((spec) => adaptTool(registry, spec, options, task));
    let instructions = plan.instructions(name, sessionBefore(options, name));
    const agent = create(name, { id: name, instructions, tools });
    const ownEnter = agent.onEnter.bind(agent);
    const speaks = agent.onEnter === voice.Agent.prototype.onEnter;
    agent.onEnter = async () => {
      await attempt(`Task '${name}' keeps its instructions; new ones failed.`, async () => {
        const now = plan.instructions(name, callSession(agent.session, options.session, name));
        if (now === instructions) return;
        await agent.updateInstructions(now);
        instructions = now;
      });
      const arrived = cameByHandoff(agent);
      if (arrived)
        await attempt(`Task '${name}' goes on without the history; its model took none.`, () =>
          agent.updateChatCtx(carriedHistory(agent, values)),
        );
      await ownEnter();
      if (arrived && speaks) agent.session.generateReply();
    };
    return agent;
  };

  for (const name of plan.names) agents.set(name, agentOf(name));
  const start = agents.get(plan.start) ?? agentOf(plan.start);
  return { start, agents };
}

/** The session before LiveKit has one: for instructions. */
function sessionBefore<State>(options: LiveKitAgentsOptions<State>, task: string): Session<State> {
  const { session: { id = '', tenant } = {}, state } = options;
  return {
    id,
    tenant,
    task,
    history: [],
    get state() {
      if (state === undefined) throw new Error("liveKitAgents: 'state' is needed by instructions.");
      return state;
    },
  };
}

/** What fails when a task is entered must not keep its agent silent. */
async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    logError(failure);
  }
}

function cameByHandoff(agent: voice.Agent): boolean {
  const last = agent.session.history.items.findLast((item) => item.type === 'agent_handoff');
  return last?.oldAgentId !== undefined;
}
