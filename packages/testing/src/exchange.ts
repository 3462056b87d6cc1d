import type { ServerResponse } from 'node:http';

import type { Fault } from './faults.js';

/** One request on its way to its answer: what a route of the fake server works on. */
export interface Exchange {
  readonly body: unknown;
  readonly fault: Fault | undefined;
  readonly response: ServerResponse;
}

/** Sends `value` as JSON, unless a fault spoils the body. */
export function answerJson(exchange: Exchange, status: number, value: unknown): void {
  const { body, fault, response } = exchange;
  const text = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json' });
  if (fault?.kind === 'not-json') response.end(`${textsOf(body)} is what you asked.`);
  else if (fault?.kind === 'stall') response.write(text.slice(0, text.length / 2));
  else if (fault?.kind === 'half-body') {
    response.write(text.slice(0, text.length / 2), () => void response.destroy());
  } else response.end(text);
}

/** Sends an error in the API's shape. */
export function answerError(exchange: Exchange, status: number, message: string): void {
  answerJson(exchange, status, { error: { message, type: 'fake_error', code: 'fake_code' } });
}

/** The texts of a request, for errors that quote them as real servers do. */
export function textsOf(body: unknown): string {
  return JSON.stringify(isRecord(body) ? body['input'] : body);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
