import { announceLine, type Session, type ToolSpec } from '@cuecard/core/tools';
import type { voice } from '@livekit/agents';

const lastLines = new WeakMap<object, string>();

/** Runs `work`, which does not reject; the announce line of the tool is spoken once if it takes longer than the line's wait. */
export async function announced<State, Result>(
  spec: ToolSpec<unknown, Session<State>>,
  context: voice.RunContext<State>,
  session: Session<State>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (spec.announce === undefined) return work();
  const result = work();
  // LiveKit leaves a listener behind with every filler, also with one that comes to nothing.
  if (await endsWithin(spec.announce.afterMs, result)) return result;
  const line = (): voice.SpeechHandle | undefined => speak(spec, context.session, session);
  return context.filler(line, { delay: 0 }, () => result);
}

async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([work.then(() => true), over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Kept out of the history: a model that reads its own announcements starts to write them. */
function speak<State>(
  spec: ToolSpec<unknown, Session<State>>,
  agentSession: voice.AgentSession<State>,
  session: Session<State>,
): voice.SpeechHandle | undefined {
  const line = announceLine(spec, { session }, lastLines.get(agentSession));
  if (line === undefined) return undefined;
  try {
    const handle = agentSession.say(line, { addToChatCtx: false });
    lastLines.set(agentSession, line);
    return handle;
  } catch {
    // A realtime model without a TTS cannot speak a given line; it waits in silence.
    return undefined;
  }
}
