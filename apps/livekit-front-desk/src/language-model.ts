import { LLM } from '@livekit/agents-plugin-openai';

/** What the environment says of the model. */
export interface ModelSettings {
  readonly apiKey: string;
  /** Default: OpenAI's own. */
  readonly baseURL: string | undefined;
  readonly model: string;
}

/** The settings of the environment; `undefined` when it names neither a key nor a server. */
export function modelSettings(environment: NodeJS.ProcessEnv): ModelSettings | undefined {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: model } = environment;
  if (!key && !url) return undefined;
  // Servers of one's own take any key, but the client wants one.
  return { apiKey: key || 'none', baseURL: url || undefined, model: model || 'gpt-4.1-mini' };
}

export function languageModel({ apiKey, baseURL, model }: ModelSettings): LLM {
  // Two calls at once could be a lookup and a hand-off: one task would search for the other.
  const options = { apiKey, model, parallelToolCalls: false };
  return new LLM(baseURL === undefined ? options : { ...options, baseURL });
}
