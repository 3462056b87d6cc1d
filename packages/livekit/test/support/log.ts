import { initializeLogger, log } from '@livekit/agents';
import { onTestFinished, vi } from 'vitest';

/** The errors that this package logs from now on, until the test ends; those of LiveKit begin with an object. */
export function loggedErrors(): { readonly lines: readonly string[] } {
  initializeLogger({ pretty: false, level: 'silent' });
  const spy = vi.spyOn(log(), 'error');
  onTestFinished(() => spy.mockRestore());
  return {
    get lines() {
      return spy.mock.calls.flatMap(([line]: readonly unknown[]) =>
        typeof line === 'string' ? [line] : [],
      );
    },
  };
}
