import { initializeLogger, type llm, voice } from '@livekit/agents';

import { frontDesk, greeting } from './agents.js';
import type { Caller } from './caller.js';

/** A call to the front desk in text, without a LiveKit server. */
export interface TextCall {
  /** Whether the agent has ended the call, or too many errors have. */
  readonly isOver: boolean;
  /** Says a sentence; settles when the agent has answered it. */
  say(words: string): Promise<void>;
  /** Hangs up. */
  close(): Promise<void>;
}

const events = voice.AgentSessionEventTypes;

/** Begins a call; `show` gets a line for each thing that happens in it. */
export async function startTextCall(
  model: llm.LLM,
  show: (line: string) => void,
): Promise<TextCall> {
  initializeLogger({ pretty: false, level: 'silent' });
  const userData: Caller = {};
  const session = new voice.AgentSession({
    llm: model,
    vad: null,
    turnHandling: { turnDetection: null },
    userData,
  });
  let isOver = false;
  const end = (): void => void (isOver = true);
  session.on(events.Close, end);
  showEvents(session, show);
  await session.start({ agent: frontDesk(userData, end), record: false });
  await session.say(greeting).waitForPlayout();
  return {
    get isOver() {
      return isOver;
    },
    say: async (words) => {
      await session.run({ userInput: words }).wait();
    },
    close: () => session.close(),
  };
}

function showEvents(session: voice.AgentSession<Caller>, show: (line: string) => void): void {
  session.on(events.FunctionToolsExecuted, ({ functionCalls, functionCallOutputs }) => {
    for (const { callId, name, args, createdAt } of functionCalls) {
      const output = functionCallOutputs.find((candidate) => candidate.callId === callId);
      show(`  [tool] ${name} ${args} ${output ? `${output.createdAt - createdAt} ms` : ''}`);
    }
  });
  session.on(events.ConversationItemAdded, ({ item }) => {
    if (item.type === 'agent_handoff') show(`  [task] ${item.newAgentId}`);
    else if (item.role === 'assistant') show(`Desk: ${item.textContent ?? ''}`);
  });
  session.on(events.Error, ({ error }) => {
    // What is tried once more is not worth a line.
    if ('recoverable' in error && error.recoverable) return;
    show(`  [error] ${'error' in error ? error.error.message : error.message}`);
  });
}
