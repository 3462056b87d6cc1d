import type { JsonValue } from '@cuecard/core/tools';
import { voice } from '@livekit/agents';

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
  const created = voice.AgentSessionEventTypes.SpeechCreated;
  let last = speechHandle;
  // A realtime model replies in a speech of its own; it is made before this one is done.
  const onCreated = ({ source, speechHandle: reply }: voice.SpeechCreatedEvent): void => {
    if (source === 'tool_response') last = reply;
  };
  session.on(created, onCreated);
  speechHandle.addDoneCallback(() => {
    session.off(created, onCreated);
    last.addDoneCallback(() => onEnd(handoff, session));
  });
}
