import { log } from '@livekit/agents';

/** A line in the log of the host's LiveKit; nothing where that has not been set up. */
export function logError(message: string): void {
  try {
    log().error(message);
  } catch {
    // Without a logger there is nobody to tell.
  }
}
