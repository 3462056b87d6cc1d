import type { JsonObject } from './json.js';
import type { ToolParameters } from './tool-parameters.js';

/** A function the model has called. */
export interface ChatCall {
  /** Ties the result to the call; no other call of the same answer has it. */
  readonly id: string;
  /** As the model wrote it: it may be no tool's name. */
  readonly name: string;
  /** JSON text as the model wrote it, right or wrong; `{}` where it wrote nothing. */
  readonly arguments: string;
}

/**
 * One message of a conversation, in no vendor's shape. The results of an assistant's calls come directly after it, one
 * for each call, or the model's server refuses the request.
 */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      /** Said before the calls, where there are any. */
      readonly text?: string | undefined;
      readonly calls?: readonly ChatCall[] | undefined;
    }
  | {
      readonly role: 'tool';
      /** The `id` of the call it answers. */
      readonly callId: string;
      /** The `value` of a `ToolOutcome`. */
      readonly value: JsonObject;
    };

/** A tool as a model is offered it: a `ToolSpec` is one. */
export interface ChatTool {
  /** `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
}

/** One request to a model. */
export interface ChatRequest {
  /** Oldest first. */
  readonly messages: readonly ChatMessage[];
  /** What the model may call. Default: nothing. */
  readonly tools?: readonly ChatTool[] | undefined;
  /** Ends the answer where it stands. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Why an answer ended.
 *
 * | end | meaning |
 * | --- | --- |
 * | `stop` | the model has said all it had to say |
 * | `calls` | it waits for the results of its calls |
 * | `length` | it was cut short, by the limit of tokens most often |
 * | `filtered` | a content filter cut it short |
 * | `refused` | the model declined; the text is what it said to that |
 */
export type ChatEnd = 'stop' | 'calls' | 'length' | 'filtered' | 'refused';

/** What an answer cost, in tokens. */
export interface ChatUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A piece of an answer: texts as they come, then whole calls, then one `end`. */
export type ChatEvent =
  /** Never empty, with its own white space; the texts of an answer make it up. */
  | { readonly kind: 'text'; readonly text: string }
  /**
   * A call has begun, and its arguments are on their way: the wait of an announce line may begin. At most once a call and
   * before it; a driver that learns of calls only when they are whole has none.
   */
  | { readonly kind: 'calling'; readonly name: string }
  /** A whole call. None comes of an answer that ends in anything but `calls`. */
  | { readonly kind: 'call'; readonly call: ChatCall }
  /** The last of all. An answer may be empty: then it is all there is. */
  | {
      readonly kind: 'end';
      readonly reason: ChatEnd;
      /** Where the server tells. */
      readonly usage?: ChatUsage | undefined;
    };

/** The language model of a host that owns the model loop; `describeChatDriver` is its conformance suite. */
export interface ChatDriver {
  /**
   * Asks the model once, at the first pull; to be read once. Leaving the loop or aborting the signal closes the
   * connection at once, whether or not somebody waits for the next event.
   *
   * Throws a {@link ChatError} when there is no whole answer, and the reason of the signal once that is aborted: no
   * event comes after it. Failures are tried again only while no event has come.
   */
  stream(request: ChatRequest): AsyncIterable<ChatEvent>;
}

/**
 * Why there is no whole answer. Codes are stable.
 *
 * | code | meaning |
 * | --- | --- |
 * | `unauthorized` | the server does not take the key |
 * | `rejected` | the server does not take the request; another try would not help |
 * | `rate-limited` | too many requests, or no budget left |
 * | `unavailable` | the server is out of order or not reached |
 * | `timeout` | no first piece, or no next one, in time |
 * | `broken-off` | the answer ended in the middle, or could not be read |
 */
export type ChatErrorCode =
  | 'unauthorized'
  | 'rejected'
  | 'rate-limited'
  | 'unavailable'
  | 'timeout'
  | 'broken-off';

/** What a {@link ChatError} is made of. */
export interface ChatErrorDetails {
  readonly code: ChatErrorCode;
  /** Of the driver's own making: nothing of the conversation, the key or the server's words. */
  readonly message: string;
  /** Facts that are as safe to log: a status, a request id. */
  readonly cause?: unknown;
}

const marker: symbol = Symbol.for('cuecard.ChatError');

/** A model request that has failed. `instanceof` holds across two copies of this package. */
export class ChatError extends Error {
  override readonly name: string = 'ChatError';
  readonly code: ChatErrorCode;

  constructor({ code, message, cause }: ChatErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.defineProperty(this, marker, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const isOurs = typeof value === 'object' && value !== null && marker in value;
    return (
      isOurs && (this === ChatError || Function.prototype[Symbol.hasInstance].call(this, value))
    );
  }
}
