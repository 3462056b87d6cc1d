import type { JsonValue } from '@cuecard/core/tools';
import type { voice } from '@livekit/agents';

/** Ends a call; `handoff` is for whoever takes over. */
export type EndCall<State = unknown> = (
  handoff: JsonValue | undefined,
  session: voice.AgentSession<State>,
) => void;

/** Ends the call once the agent has spoken its reply to the tool that asked for it. */
export function endCall<State>(
  handoff: JsonValue | undefined,
  context: voice.RunContext<State>,
  onEnd: EndCall<State> = (_, session) => session.shutdown(),
): void {
  const { session, speechHandle } = context;
  speechHandle.addDoneCallback(() => onEnd(handoff, session));
}
