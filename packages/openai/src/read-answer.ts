import { ChatError, type ChatEvent } from '@cuecard/core/tools';

import { ChatAnswer } from './chat-answer.js';
import type { ChatBody, OpenAIChatClient } from './chat-client.js';
import { chatError } from './chat-error.js';
import { Connection } from './connection.js';

/** How long to wait for the usage of an answer that is whole, in milliseconds. */
const usageWaitMs = 500;

/** The waits of one try. */
export interface AnswerLimits {
  /** When the first piece has to be there, by `performance.now()`. */
  readonly firstBy: number;
  /** How long each further piece may take, in milliseconds. */
  readonly idleTimeoutMs: number;
}

/**
 * One try. The connection closes when the signal aborts, when a piece is late and when the reader leaves. What the client
 * throws before it has an answer comes through as it is; what goes wrong later is a `ChatError`.
 */
export async function* readAnswer(
  client: OpenAIChatClient,
  body: ChatBody,
  limits: AnswerLimits,
  caller: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, undefined> {
  const connection = new Connection(caller);
  const { signal } = connection;
  try {
    const stream = await connection.wait(limits.firstBy - performance.now(), () =>
      client.chat.completions.create(body, { signal, maxRetries: 0 }),
    );
    yield* eventsOf(stream, limits, connection);
  } finally {
    connection.close();
  }
}

async function* eventsOf(
  stream: AsyncIterable<unknown>,
  { firstBy, idleTimeoutMs }: AnswerLimits,
  connection: Connection,
): AsyncGenerator<ChatEvent, void, undefined> {
  const answer = new ChatAnswer();
  const chunks = stream[Symbol.asyncIterator]();
  const next = (): PromiseLike<IteratorResult<unknown>> => chunks.next();
  let hasBegun = false;
  const patience = (): number => {
    if (answer.isFinished) return usageWaitMs;
    return hasBegun ? idleTimeoutMs : firstBy - performance.now();
  };
  try {
    for (;;) {
      const { done, value } = await connection.wait(patience(), next);
      if (done === true) break;
      for (const event of answer.read(value)) {
        hasBegun = true;
        yield event;
      }
    }
  } catch (error) {
    if (!answer.isFinished) throw chatError(error, 'broken-off');
  } finally {
    // It may wait for a piece that never comes.
    chunks.return?.().catch(() => undefined);
  }
  // A client ends a stream that was cut off without a word.
  if (!answer.isFinished) throw cutOff();
  yield* answer.end();
}

function cutOff(): ChatError {
  const message = 'The chat request failed: the answer has no end.';
  return new ChatError({ code: 'broken-off', message });
}
