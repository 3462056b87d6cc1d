/** The part of an `OpenAI` client that is used; clients of major versions 4 to 7 fit. */
export interface OpenAIClient {
  readonly embeddings: {
    create(
      body: { model: string; input: string[]; encoding_format: 'base64'; dimensions?: number },
      options: { signal: AbortSignal },
    ): PromiseLike<unknown>;
  };
  /** How long one try may take, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** Default: 2. */
  readonly maxRetries?: number;
}

/** What a client is made with; the client reads what is missing from the environment. */
export interface ClientSettings {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  readonly maxRetries: number;
  readonly timeout: number;
}

/** Loads the openai package and makes a client. */
export async function createClient(settings: ClientSettings): Promise<OpenAIClient> {
  const { OpenAI } = await import('openai').catch(() => {
    throw new Error('The openai package cannot be loaded. Run: npm install openai');
  });
  try {
    // OPENAI_LOG=debug would otherwise write requests, and so texts, to the console.
    return new OpenAI({ ...settings, logLevel: 'off' });
  } catch {
    throw new Error('There is no OpenAI key: set OPENAI_API_KEY, or pass apiKey.');
  }
}

/** A server's address alone means its `/v1`. */
export function completeBaseURL(given: string): string {
  if (!URL.canParse(given)) throw new TypeError('baseURL is not a URL.');
  const url = new URL(given);
  if (url.pathname === '/') url.pathname = '/v1';
  return url.href;
}
