import { onTestFinished } from 'vitest';

import type {
  ChatCall,
  ChatDriver,
  ChatEvent,
  ChatMessage,
  ChatRequest,
} from '../tools/chat-driver.js';

/** What the model answers to one request. */
export interface ChatScript {
  /** Comes in pieces of about a word. */
  readonly text?: string;
  /** Come after the text. An object goes over the wire as JSON, a string as it is, right or wrong. */
  readonly calls?: readonly { readonly name: string; readonly arguments: string | object }[];
  /** Wait before each piece, in milliseconds. Default 0. */
  readonly pieceMs?: number;
  /**
   * What goes wrong. Default: nothing. `rejected`: the server refuses the request, for good, in words that quote it.
   * `broken-off`: the connection ends in the middle of the answer.
   */
  readonly fault?: 'rejected' | 'broken-off';
}

/** A model request as the server got it. */
export interface ChatSeen {
  /** Names of the tools it offers. */
  readonly tools: readonly string[];
  /** What it says, back in the neutral shape. */
  readonly messages: readonly ChatMessage[];
  /** Settles when the request is over: answered in full, or not. */
  readonly ended: Promise<'answered' | 'broken-off'>;
}

/** A driver, and the server it talks to. */
export interface ChatModelSetup {
  readonly driver: ChatDriver;
  /** What it got so far, in order of arrival. */
  readonly requests: () => readonly ChatSeen[];
  close(): Promise<void>;
}

/** Starts a server that answers requests with these, in order, and makes a driver for it. */
export type StartChatModel = (answers: readonly ChatScript[]) => Promise<ChatModelSetup>;

/** What the caller of these tests wants to know. */
export const question: ChatRequest = {
  messages: [{ role: 'user', text: 'When does the pool open?' }],
};

/** A driver for one test. */
export async function startFor(
  start: StartChatModel,
  ...answers: readonly ChatScript[]
): Promise<ChatModelSetup> {
  const setup = await start(answers);
  onTestFinished(() => setup.close());
  return setup;
}

/** All events of a request. */
export function readAll(driver: ChatDriver, request: ChatRequest): Promise<ChatEvent[]> {
  return readInto([], driver, request);
}

/** All events of a request; they stay in `events` when it fails. */
export async function readInto(
  events: ChatEvent[],
  driver: ChatDriver,
  request: ChatRequest,
): Promise<ChatEvent[]> {
  for await (const event of driver.stream(request)) events.push(event);
  return events;
}

export function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}

export function callsOf(events: readonly ChatEvent[]): readonly ChatCall[] {
  return events.flatMap((event) => (event.kind === 'call' ? [event.call] : []));
}
