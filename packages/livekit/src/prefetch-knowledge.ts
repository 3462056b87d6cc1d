import type { KnowledgeBase } from '@cuecard/core';
import { voice } from '@livekit/agents';

import { callId } from './call-session.js';

/**
 * Lets the bases search for the caller's words while they are still being spoken, so that a lookup with the same
 * words has its answer ready. Works where the speech recognition gives interim transcripts. Returns what stops it.
 */
export function prefetchKnowledge<State>(
  session: voice.AgentSession<State>,
  ...bases: readonly KnowledgeBase[]
): () => void {
  const transcribed = voice.AgentSessionEventTypes.UserInputTranscribed;
  const onTranscribed = ({ transcript }: voice.UserInputTranscribedEvent): void => {
    for (const base of bases) base.prefetch(transcript, { session: callId(session) });
  };
  session.on(transcribed, onTranscribed);
  return () => void session.off(transcribed, onTranscribed);
}
