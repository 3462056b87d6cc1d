import { inspect } from 'node:util';

import type { Embedder } from '@cuecard/core';
import { startFakeOpenAI, type FakeOpenAI, type FakeOpenAIOptions } from '@cuecard/testing';
import { expect, onTestFinished } from 'vitest';

import { openaiEmbedder, type OpenAIEmbedderOptions } from '../src/index.js';

export const key = 'sk-secret-4711';
export const passage = { kind: 'passage' } as const;

/** A server for one test, and an embedder that talks to it. */
export async function start(
  options: OpenAIEmbedderOptions = {},
  serverOptions: FakeOpenAIOptions = {},
): Promise<{ server: FakeOpenAI; embedder: Embedder }> {
  const server = await startFakeOpenAI({ apiKey: key, ...serverOptions });
  onTestFinished(() => server.close());
  return { server, embedder: openaiEmbedder({ apiKey: key, baseURL: server.url, ...options }) };
}

/** The error of a call that must fail; no part of it holds the key or a text. */
export async function failure(
  run: () => Promise<unknown>,
  texts: readonly string[],
): Promise<Error> {
  const error: unknown = await run().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error('nothing was thrown');
  const shown = [
    error.message,
    error.stack ?? '',
    String(error.cause),
    JSON.stringify(error),
    JSON.stringify(error.cause) ?? '',
    JSON.stringify(Object.getOwnPropertyDescriptors(error)),
    inspect(error, { depth: 20, showHidden: true }),
  ].join('\n');
  for (const secret of [key, ...texts]) expect(shown).not.toContain(secret);
  return error;
}

/** The texts of a request the server has seen. */
export function inputOf(request: { readonly body: unknown } | undefined): unknown[] {
  const { body } = request ?? {};
  const input = typeof body === 'object' && body !== null && 'input' in body ? body.input : [];
  return Array.isArray(input) ? input : [];
}

export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `passage number ${at}`);
}
