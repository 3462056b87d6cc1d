import { randomUUID } from 'node:crypto';

import type { Session, SessionTurn } from '@cuecard/core/tools';
import { getJobContext, type llm, type voice } from '@livekit/agents';

/** What is known of a call before it begins. */
export interface CallOptions {
  /** Default: the id of the LiveKit job; outside of a job one is made up for each `AgentSession`. */
  readonly id?: string | undefined;
  readonly tenant?: string | undefined;
}

const ids = new WeakMap<object, string>();

/** The id of a call, the same for as long as its `AgentSession` lives. */
export function callId(session: object): string {
  const id = ids.get(session) ?? getJobContext(false)?.job.id ?? randomUUID();
  ids.set(session, id);
  return id;
}

/** A LiveKit session as tools see it: `state` is its `userData`, `history` what was said so far. */
export function callSession<State>(
  session: voice.AgentSession<State>,
  options: CallOptions = {},
  task?: string,
): Session<State> {
  return {
    id: options.id ?? callId(session),
    tenant: options.tenant,
    task,
    get state() {
      return session.userData;
    },
    set state(state) {
      session.userData = state;
    },
    get history() {
      return session.history.items.flatMap(turnOf);
    },
  };
}

function turnOf(item: llm.ChatItem): SessionTurn[] {
  if (item.type !== 'message' || (item.role !== 'user' && item.role !== 'assistant')) return [];
  const { role, textContent } = item;
  return textContent === undefined ? [] : [{ role, text: textContent }];
}
