import { describeHost, type HostCall, type HostSetup } from '@cuecard/core/testing';
import type { Session, TaskPlan, ToolRegistry } from '@cuecard/core/tools';
import { type ChatRequest, type HostRequest, toHostRequest } from '@cuecard/testing';
import { voice } from '@livekit/agents';

import { type EndCall, liveKitAgents, type LiveKitAgents, liveKitTools } from '../src/index.js';
import { isCaller, startCall } from './support/call.js';

type Agents = voice.Agent<unknown> | LiveKitAgents;

function agentsOf(
  agent: { readonly tools: ToolRegistry<Session> } | { readonly plan: TaskPlan<Session> },
  onEnd: EndCall,
): Agents {
  if ('plan' in agent) return liveKitAgents(agent.plan, { onEnd });
  return new voice.Agent({ instructions: 'Help.', tools: liveKitTools(agent.tools, { onEnd }) });
}

/** Notes of the adapter have the role of the caller, and begin no turn. */
function hostRequest(request: ChatRequest): HostRequest {
  const messages = request.messages.filter(
    (message) => message.role !== 'user' || isCaller(message),
  );
  return toHostRequest({ ...request, messages });
}

async function start({ agent, model }: HostSetup): Promise<HostCall> {
  let ended: HostCall['ended'];
  const agents = agentsOf(agent, (handoff) => {
    ended = { handoff };
  });
  const call = await startCall<unknown>(agents, (request) => model(hostRequest(request)));
  return {
    say: (text) => call.say(text),
    get requests() {
      return call.requests().map(hostRequest);
    },
    get spoken() {
      return call.said;
    },
    get ended() {
      return ended;
    },
    close: () => call.close(),
  };
}

describeHost('LiveKit', { start });
