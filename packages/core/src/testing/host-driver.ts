import type { JsonValue } from '../tools/json.js';
import type { Session } from '../tools/session.js';
import type { TaskPlan } from '../tools/task-plan.js';
import type { ToolRegistry } from '../tools/tool-registry.js';

/** A model request as the host made it. */
export interface HostRequest {
  /** Names of the tools it offers. */
  readonly tools: readonly string[];
  /** The tool results since the caller's last words, each as the text that the model reads. */
  readonly results: readonly string[];
  /** What the model is told beside the conversation, where the host sends it. */
  readonly instructions?: string | undefined;
}

/** What the model answers to one request. */
export interface HostReply {
  readonly text?: string;
  /** Several are parallel calls. An object goes over the wire as JSON, a string as it is, right or wrong. */
  readonly calls?: readonly { readonly name: string; readonly arguments: string | object }[];
}

/** What a call is about, and the model it runs on. */
export interface HostSetup {
  readonly agent: { readonly tools: ToolRegistry<Session> } | { readonly plan: TaskPlan<Session> };
  /** Answers every model request of the call; the driver puts it behind whatever API the host talks to. */
  readonly model: (request: HostRequest) => HostReply;
}

/** A call on a host, seen from outside. */
export interface HostCall {
  /** The caller says something; settles when the host has done and said all that follows from it. */
  say(text: string): Promise<void>;
  /** In order. */
  readonly requests: readonly HostRequest[];
  /** What the caller heard: answers and announce lines, in order. */
  readonly spoken: readonly string[];
  /** Set once the host has ended the call. */
  readonly ended?: { readonly handoff?: JsonValue | undefined } | undefined;
  /** Hangs up, and frees what the call held. */
  close(): Promise<void>;
}

/** How `describeHost` works a host: the adapter under test brings one. */
export interface HostDriver {
  start(setup: HostSetup): Promise<HostCall>;
}

/** What a host can do; what it cannot is not tested. */
export interface HostCapabilities {
  /** How results reach the model: as one JSON object, or as sentences. Default `json`. */
  readonly results?: 'json' | 'text';
  /** Speaks answers and announce lines itself. Default `true`. */
  readonly speaks?: boolean;
  /** Realises a `TaskPlan`. Default `true`. */
  readonly tasks?: boolean;
  /** Ends a call when a tool returns `end()`. Default `true`. */
  readonly ends?: boolean;
  /** Gives tools the session of the call. Default `true`. */
  readonly sessions?: boolean;
}
