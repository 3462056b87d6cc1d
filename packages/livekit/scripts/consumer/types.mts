import { KnowledgeBase } from '@cuecard/core';
import { type Session, TaskPlan, tool } from '@cuecard/core/tools';
import {
  injectKnowledge,
  liveKitAgents,
  liveKitTool,
  liveKitTools,
  prefetchKnowledge,
  prewarmKnowledge,
  refreshKnowledge,
} from '@cuecard/livekit';
import { defineAgent, type JobContext, voice } from '@livekit/agents';
import { z } from 'zod';

interface Guest {
  name: string;
}

const refunds = new KnowledgeBase({ name: 'refunds', documents: './refunds' });
const greet = tool({
  name: 'greet',
  description: 'Greets.',
  parameters: z.object({ loud: z.boolean() }),
  run: ({ loud }, { session }: { session: Session<Guest> }) =>
    loud ? session.state.name.toUpperCase() : session.state.name,
});

export const plain: voice.Agent = new voice.Agent({
  instructions: 'Help.',
  tools: [liveKitTool(refunds.tool())],
});
export const typed: voice.Agent<Guest> = new voice.Agent<Guest>({
  instructions: 'Help.',
  tools: [liveKitTool(refunds.tool()), ...liveKitTools<Guest>([greet])],
});
export const injected: voice.Agent<Guest> = injectKnowledge(typed, refunds);

const plan = new TaskPlan<Session<Guest>>({
  tools: [refunds.tool(), greet],
  start: 'greet',
  tasks: { greet: { when: 'First.', instructions: ({ state }) => state.name, tools: ['greet'] } },
});

class Desk extends voice.Agent<Guest> {}

export const agent = defineAgent({
  prewarm: prewarmKnowledge(refunds),
  entry: async (ctx: JobContext) => {
    await refreshKnowledge(refunds);
    const userData: Guest = { name: 'Ada' };
    const session = new voice.AgentSession<Guest>({ userData });
    const { start } = liveKitAgents(plan, {
      state: userData,
      session: { tenant: 'hotel' },
      create: (_, options) => new Desk(options),
      onEnd: (handoff, ended) => {
        console.log(handoff);
        ended.shutdown();
      },
    });
    const stop = prefetchKnowledge(session, refunds);
    ctx.addShutdownCallback(async () => stop());
    await session.start({ agent: start });
  },
});
