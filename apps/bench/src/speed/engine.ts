/** Answers a question with its three best passages; gives back how many there were. */
export type Ask = (question: string) => number | Promise<number>;

/** A search library, made to do the same as the others. */
export interface Engine {
  /** Indexes the passages and leaves the index in an empty folder. */
  build(passages: readonly string[], folder: string): Promise<void>;
  /** Loads the index from its folder. */
  open(folder: string): Promise<Ask>;
}

export const engineNames = ['cuecard', 'minisearch', 'orama'] as const;
export type EngineName = (typeof engineNames)[number];

/** Loads a library; nothing of it is in the process before. */
export async function connect(name: EngineName, terms: Terms): Promise<Engine> {
  return connectors[name](terms);
}

const connectors: Readonly<Record<EngineName, (terms: Terms) => Promise<Engine>>> = {
  cuecard: async () => (await import('./cuecard-engine.js')).cuecardEngine(),
  minisearch: async (terms) => (await import('./minisearch-engine.js')).minisearchEngine(terms),
  orama: async (terms) => (await import('./orama-engine.js')).oramaEngine(terms),
};

/** Our terms, for the libraries that can take another's. */
export interface Terms {
  readonly passageTerms: (text: string, language: string) => string[];
  readonly queryTerms: (text: string, language: string) => string[];
}

/** Core keeps its tokenizer to itself; it is read from beside core's entry point. */
export async function loadTerms(): Promise<Terms> {
  const url = new URL('language/tokens.js', import.meta.resolve('@cuecard/core'));
  const loaded: unknown = await import(url.href);
  if (!isTerms(loaded)) throw new TypeError("core's tokenizer is not where it was");
  return loaded;
}

function isTerms(value: unknown): value is Terms {
  if (typeof value !== 'object' || value === null) return false;
  return ['passageTerms', 'queryTerms'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  );
}
