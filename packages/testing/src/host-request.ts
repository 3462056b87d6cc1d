import type { ChatRequest } from './chat-request.js';

/** A model request in the words of `describeHost` of `@cuecard/core/testing`. */
export interface HostRequest {
  readonly tools: readonly string[];
  /** Tool results since the last message of a user. */
  readonly results: readonly string[];
  readonly instructions: string;
}

/** What a host's driver reports of a chat request. */
export function toHostRequest({ tools, messages }: ChatRequest): HostRequest {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const told = messages.filter(({ role }) => role === 'system' || role === 'developer');
  return {
    tools,
    results: since.filter(({ role }) => role === 'tool').map(({ content }) => content),
    instructions: told.map(({ content }) => content).join('\n'),
  };
}
