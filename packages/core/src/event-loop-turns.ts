/** An audio frame of 20 ms hardly feels it, nor does a lookup; a turn costs some microseconds. */
const longestMs = 0.5;

/**
 * For long work that must not keep a process from answering: await the function between small steps. Once
 * they have taken half a millisecond, timers and sockets have their turn.
 */
export function eventLoopTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < longestMs) return;
    await new Promise((resume) => setImmediate(resume));
    began = performance.now();
  };
}
