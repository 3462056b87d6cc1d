import { setTimeout as wait } from 'node:timers/promises';

import type { ChatDriver } from '@cuecard/core/tools';

import { chatBody } from './chat-body.js';
import type { OpenAIChatClient } from './chat-client.js';
import { chatError, pauseBeforeRetry } from './chat-error.js';
import { readAnswer } from './read-answer.js';
import { whole } from './whole.js';

/** What `openaiChat` takes beside the client. */
export interface OpenAIChatOptions {
  readonly model: string;
  /**
   * How long one try may take to its first piece, in milliseconds: 1–600,000. All tries and the pauses between them take
   * at most `maxRetries + 1` times that. Default: 8,000.
   */
  readonly firstTokenTimeoutMs?: number | undefined;
  /** How long each further piece may take, in milliseconds: 1–600,000. Default: 5,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Further tries before the first piece; the client's own setting is not used. 0–10. Default: 1. */
  readonly maxRetries?: number | undefined;
  /**
   * Further fields of each request, such as `temperature` or `reasoning_effort`. `parallel_tool_calls` is `false` and
   * `stream_options` asks for the usage unless they stand here; `undefined` takes them out, for servers that do not know
   * them.
   */
  readonly request?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A model behind OpenAI's chat completions, or any server with the same API, on a client of your own. Tools go with
 * `strict: true`. A wrong option throws a `RangeError` here.
 */
export function openaiChat(client: OpenAIChatClient, options: OpenAIChatOptions): ChatDriver {
  const { model, request: extra = {}, maxRetries = 1 } = options;
  const { firstTokenTimeoutMs = 8_000, idleTimeoutMs = 5_000 } = options;
  whole('firstTokenTimeoutMs', firstTokenTimeoutMs, 1, 600_000);
  whole('idleTimeoutMs', idleTimeoutMs, 1, 600_000);
  whole('maxRetries', maxRetries, 0, 10);
  return {
    async *stream(request) {
      const { signal } = request;
      signal?.throwIfAborted();
      const body = chatBody(request, model, extra);
      const giveUpAt = performance.now() + firstTokenTimeoutMs * (maxRetries + 1);
      for (let tries = 0; ; tries += 1) {
        const firstBy = Math.min(performance.now() + firstTokenTimeoutMs, giveUpAt);
        let hasBegun = false;
        try {
          const events = readAnswer(client, body, { firstBy, idleTimeoutMs }, signal);
          for await (const event of events) {
            signal?.throwIfAborted();
            hasBegun = true;
            yield event;
          }
          return;
        } catch (error) {
          signal?.throwIfAborted();
          const isFinal = hasBegun || tries === maxRetries;
          const pauseMs = isFinal ? undefined : pauseBeforeRetry(error, tries);
          if (pauseMs === undefined || performance.now() + pauseMs >= giveUpAt) {
            throw chatError(error);
          }
          await wait(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
        }
      }
    },
  };
}
