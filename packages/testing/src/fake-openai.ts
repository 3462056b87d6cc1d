import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

import type { ChatModel, ChatReply } from './chat-reply.js';
import type { VectorOf } from './embeddings.js';
import { answerError, textsOf, type Exchange } from './exchange.js';
import { FaultPlan, type Fault, type FaultSchedule } from './faults.js';
import { hashVector } from './hash-vector.js';
import { routes } from './routes.js';

export interface FakeOpenAIOptions {
  /** The one key that is accepted. Default: `test-key`. */
  readonly apiKey?: string;
  /** Makes the vectors, sent as they are. Default: `hashVector`. */
  readonly vector?: VectorOf;
  /** Answers chats that no reply is queued for. Default: they are refused with status 500. */
  readonly chat?: ChatModel;
  /** Wait before the first piece of a streamed answer, in milliseconds. Default 0. */
  readonly firstTokenMs?: number;
  /** Wait before each further piece, in milliseconds. Default 0. */
  readonly tokenMs?: number;
}

/** A request the server has seen. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case, without the key. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Settles when the request is over: answered in full, or not. */
  readonly ended: Promise<'answered' | 'broken-off'>;
}

/** A running server that speaks OpenAI's HTTP API on 127.0.0.1. */
export interface FakeOpenAI {
  /** Base URL for a client, with `/v1`. */
  readonly url: string;
  /** In order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The most requests that were open at the same time. */
  readonly mostAtOnce: number;
  /** Queues answers to the next chats; they come before the `chat` option. */
  reply(...replies: readonly ChatReply[]): void;
  /** Lets requests (but no `GET`) go wrong; once, unless a schedule says otherwise. */
  fault(fault: Fault, schedule?: FaultSchedule): void;
  /** Settles when the server has seen `count` requests in all. */
  arrived(count: number): Promise<void>;
  /** Ends everything that is still open. */
  close(): Promise<void>;
}

/** Starts a fake OpenAI server on a free port. */
export async function startFakeOpenAI(options: FakeOpenAIOptions = {}): Promise<FakeOpenAI> {
  const { apiKey = 'test-key', vector = hashVector } = options;
  const replies: ChatReply[] = [];
  const answer = routes(vector, {
    model: async (request) => replies.shift() ?? options.chat?.(request),
    firstTokenMs: options.firstTokenMs ?? 0,
    tokenMs: options.tokenMs ?? 0,
  });
  const faults = new FaultPlan();
  const requests: RecordedRequest[] = [];
  const arrivals = new EventTarget();
  const closing = new AbortController();
  let open = 0;
  let mostAtOnce = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    mostAtOnce = Math.max(mostAtOnce, ++open);
    const ended = endOf(response).finally(() => void open--);
    const record = { ...(await recordOf(request)), ended };
    response.setHeader('x-request-id', `req_${requests.push(record)}`);
    arrivals.dispatchEvent(new Event('arrival'));
    const fault = record.method === 'GET' ? undefined : faults.next();
    const exchange = { body: record.body, fault, response };
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      answerError(exchange, 401, `Incorrect key: ${request.headers.authorization ?? 'none'}`);
    } else if (await survives(exchange, closing.signal)) {
      await answer(`${record.method} ${record.path}`, exchange);
    }
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    reply: (...more) => void replies.push(...more),
    fault: (fault, schedule = { times: 1 }) => faults.add(fault, schedule),
    async arrived(count) {
      while (requests.length < count) await once(arrivals, 'arrival', { signal: closing.signal });
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(address: ReturnType<Server['address']>): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('the server listens on no port');
}

async function recordOf(request: IncomingMessage): Promise<Omit<RecordedRequest, 'ended'>> {
  const { authorization: _key, 'api-key': _otherKey, ...headers } = request.headers;
  const body: unknown = request.method === 'POST' ? await json(request) : undefined;
  return { method: request.method ?? '', path: request.url ?? '', headers, body };
}

async function endOf(response: ServerResponse): Promise<'answered' | 'broken-off'> {
  await once(response, 'close');
  return response.writableFinished ? 'answered' : 'broken-off';
}

/** Faults that come before any answer; false when there will be none from the route. */
async function survives(exchange: Exchange, signal: AbortSignal): Promise<boolean> {
  const { fault, response, body } = exchange;
  if (fault?.kind === 'delay') await wait(fault.milliseconds, undefined, { signal });
  if (fault?.kind === 'hold') await fault.until;
  if (fault?.kind === 'reset') response.socket?.resetAndDestroy();
  if (fault?.kind === 'status') {
    const { status, retryAfterSeconds } = fault;
    if (retryAfterSeconds !== undefined) response.setHeader('retry-after', `${retryAfterSeconds}`);
    answerError(exchange, status, `Failed on ${textsOf(body)}`);
  }
  return fault?.kind !== 'reset' && fault?.kind !== 'status' && fault?.kind !== 'hang';
}
