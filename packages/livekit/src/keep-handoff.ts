import { voice } from '@livekit/agents';

/**
 * Sees a hand-off through. LiveKit forgets one when another tool of the same batch ends after it, and drops both of
 * two; then the session is moved here.
 */
export function keepHandoff<State>(
  { session, speechHandle, functionCall }: voice.RunContext<State>,
  agent: voice.Agent<State>,
): void {
  const from = session.currentAgent;
  const executed = voice.AgentSessionEventTypes.FunctionToolsExecuted;
  const onExecuted = ({ functionCalls }: voice.FunctionToolsExecutedEvent): void => {
    if (!functionCalls.some(({ callId }) => callId === functionCall.callId)) return;
    // LiveKit makes its own move right after this event.
    queueMicrotask(() => {
      if (session.currentAgent === from && !speechHandle.interrupted) session.updateAgent(agent);
    });
  };
  session.on(executed, onExecuted);
  speechHandle.addDoneCallback(() => session.off(executed, onExecuted));
}
