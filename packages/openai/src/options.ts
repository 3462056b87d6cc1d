import { completeBaseURL, type ClientSettings, type OpenAIClient } from './client.js';
import { whole } from './whole.js';

/** What `openaiEmbedder` takes; everything has a default. */
export interface OpenAIEmbedderOptions {
  /** Default: `text-embedding-3-small`. */
  readonly model?: string | undefined;
  /** Length of the vectors, asked for with each request. Needed for models that are not OpenAI's. */
  readonly dimensions?: number | undefined;
  /** A client of your own, in place of the next four options. */
  readonly client?: OpenAIClient | undefined;
  /** Default: the client reads `OPENAI_API_KEY` at the first `embed`. */
  readonly apiKey?: string | undefined;
  /** Default: `OPENAI_BASE_URL`, else OpenAI's API. An address without a path gets `/v1`. */
  readonly baseURL?: string | undefined;
  /** Further tries after 429, 5xx and connection errors: 0 or more. Default: 2. */
  readonly maxRetries?: number | undefined;
  /**
   * How long one try may take, in milliseconds: 1 or more. A request with its retries and the waits
   * between them takes at most `maxRetries + 1` times that. Default: 30,000.
   */
  readonly timeoutMs?: number | undefined;
  /** How far fusion trusts this embedder against keywords: 0–1. Default: 0.5. */
  readonly weight?: number | undefined;
}

const lengths: ReadonlyMap<string, number> = new Map([
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
  ['text-embedding-ada-002', 1536],
]);

/** How long a model's vectors are: as asked, else in full. */
export function dimensionsOf(model: string, asked: number | undefined): number {
  const full = lengths.get(model);
  const dimensions = asked ?? full;
  if (dimensions === undefined) {
    throw new TypeError(`The vector length of model '${model}' is not known: pass dimensions.`);
  }
  return whole('dimensions', dimensions, 1, full);
}

export function checkedWeight(weight: number): number {
  if (weight >= 0 && weight <= 1) return weight;
  throw new RangeError('weight must be from 0 to 1.');
}

/** The client given, or what to make one with. */
export function clientOf(options: OpenAIEmbedderOptions): OpenAIClient | ClientSettings {
  const { client, apiKey, baseURL, maxRetries, timeoutMs } = options;
  if (client === undefined) {
    return {
      apiKey,
      baseURL: baseURL === undefined ? undefined : completeBaseURL(baseURL),
      maxRetries: whole('maxRetries', maxRetries ?? 2, 0),
      timeout: whole('timeoutMs', timeoutMs ?? 30_000, 1),
    };
  }
  if ([apiKey, baseURL, maxRetries, timeoutMs].every((other) => other === undefined)) return client;
  throw new TypeError('apiKey, baseURL, maxRetries and timeoutMs belong to the client given.');
}
