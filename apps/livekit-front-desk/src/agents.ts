import type { KnowledgeBase } from '@cuecard/core';
import { type EndCall, injectKnowledge, liveKitAgents } from '@cuecard/livekit';
import { voice } from '@livekit/agents';

import { luggage, refunds } from './bases.js';
import type { Caller } from './caller.js';
import { plan } from './plan.js';

/** What the first request of a turn brings along, by task; all else is found with the tools. */
const injected: Readonly<Record<string, KnowledgeBase>> = { refunds, luggage };

export const greeting = 'Skerry Air, good day. How can I help you?';

/** The agents of one call, ready at the first of its tasks. `onEnd` comes in place of shutting the session down. */
export function frontDesk(state: Caller, onEnd?: EndCall<Caller>): voice.Agent<Caller> {
  const { start } = liveKitAgents(plan, {
    state,
    onEnd,
    create: (task, options) => {
      const agent = new voice.Agent(options);
      const base = injected[task];
      return base === undefined ? agent : injectKnowledge(agent, base);
    },
  });
  return start;
}
