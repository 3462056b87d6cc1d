import type { Embedder } from '@cuecard/core';

import { bounded, inParallel } from './bounded.js';
import { createClient, type OpenAIClient } from './client.js';
import { checkedWeight, clientOf, dimensionsOf, type OpenAIEmbedderOptions } from './options.js';
import { readVectors } from './read-vectors.js';
import { requestError } from './request-error.js';
import { maxTextsPerRequest, sendableText, splitRequests } from './split-requests.js';

const requestsAtOnce = 4;

/**
 * OpenAI's embeddings, or those of any server with the same API. Connects at the first `embed`. Texts
 * beyond the limits of a request go in several, four at once. An error never holds the key, a text or
 * the answer; an aborted `embed` rejects with the signal's reason. A wrong option throws a `TypeError`
 * or `RangeError` here.
 */
export function openaiEmbedder(options: OpenAIEmbedderOptions = {}): Embedder {
  const { model = 'text-embedding-3-small', dimensions: asked, weight = 0.5 } = options;
  const dimensions = dimensionsOf(model, asked);
  let client = clientOf(options);
  return {
    id: asked === undefined ? model : `${model}@${asked}`,
    dimensions,
    revision: '1',
    weight: checkedWeight(weight),
    maxBatch: maxTextsPerRequest,
    maxTokens: 8191,
    async embed(texts, { signal }) {
      signal?.throwIfAborted();
      if (texts.length === 0) return [];
      const inputs = splitRequests(texts.map(sendableText));
      if (!('embeddings' in client)) client = await createClient(client);
      const ready = client;
      const signals = signal === undefined ? [] : [signal];
      const run = async (input: string[], stop: AbortSignal): Promise<Float32Array[]> => {
        const body = { model, input, ...(asked === undefined ? {} : { dimensions }) };
        const answer = await ask(ready, body, [...signals, stop]);
        return readVectors(answer, input.length, dimensions);
      };
      return (await inParallel(inputs, requestsAtOnce, run)).flat();
    },
  };
}

async function ask(
  client: OpenAIClient,
  body: { model: string; input: string[]; dimensions?: number },
  signals: readonly AbortSignal[],
): Promise<unknown> {
  const limitMs = (client.timeout ?? 30_000) * ((client.maxRetries ?? 2) + 1);
  try {
    return await bounded(limitMs, signals, async (signal) =>
      client.embeddings.create({ ...body, encoding_format: 'base64' }, { signal }),
    );
  } catch (error) {
    for (const signal of signals) signal.throwIfAborted();
    throw requestError(error);
  }
}
