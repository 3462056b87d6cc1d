/** The part of an `OpenAI` or `AzureOpenAI` client that a chat needs; major versions 4 to 7 fit. */
export interface OpenAIChatClient {
  readonly chat: {
    readonly completions: {
      create(
        body: ChatBody,
        options: { signal: AbortSignal; maxRetries: number },
      ): PromiseLike<AsyncIterable<unknown>>;
    };
  };
}

/** What a chat sends. */
export interface ChatBody {
  model: string;
  stream: true;
  messages: BodyMessage[];
  tools?: BodyTool[];
  /** What the host adds. */
  [field: string]: unknown;
}

export type BodyMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: BodyCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export interface BodyCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface BodyTool {
  type: 'function';
  function: {
    name: string;
    description: string;
    parameters: Record<string, unknown>;
    strict: true;
  };
}
