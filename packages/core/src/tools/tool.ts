/** What a tool run may use: cancellation, and what the call has been so far. */
export interface ToolContext<Session = unknown> {
  readonly signal?: AbortSignal | undefined;
  readonly session?: Session | undefined;
}

/** JSON Schema of a tool's arguments, in the strict form that model vendors take. */
export interface ToolParameters {
  readonly type: 'object';
  readonly properties: Readonly<
    Record<string, { readonly type: string; readonly description: string }>
  >;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** A function a model may call, free of any framework. */
export interface ToolSpec<Args = unknown, Session = unknown, Result extends object = object> {
  /** `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  /** Said while the caller waits. */
  readonly announce?: string;
  /** Always resolves, and never to nothing: an empty tool result leaves some agents silent. */
  run(args: Args, context?: ToolContext<Session>): Promise<Result>;
}
