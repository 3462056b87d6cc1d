import { KnowledgeBase, type Embedder, type Mode } from '@cuecard/core';
import { localEmbedder } from '@cuecard/local';
import { openaiEmbedder } from '@cuecard/openai';

const descriptions = {
  refunds: 'Refunds, complaints, delays and cancellations, with forms and deadlines.',
  luggage: 'What may be carried, what it costs, and what happens when it is lost or damaged.',
  fares: 'Fares, prices, fare conditions and the Tern Club.',
  travel: 'Opening hours, accessibility, hotels, frequent questions and the terms of carriage.',
} as const;

export type BaseName = keyof typeof descriptions;
export type Encoder = 'local' | 'openai';

const credentialEnv = 'OPENAI_API_KEY';

/** OpenAI's where there is a key; else the one that needs none. */
export const encoder: Encoder = process.env[credentialEnv] ? 'openai' : 'local';

/** How to open a base. */
export interface OpenOptions {
  readonly mode?: Mode;
  readonly encoder?: Encoder;
}

/** A base of Skerry Air. Each encoder has an index of its own, which serves all modes. */
export function openBase(name: BaseName, options: OpenOptions = {}): KnowledgeBase {
  const { mode = 'hybrid', encoder: chosen = encoder } = options;
  return new KnowledgeBase({
    name,
    description: descriptions[name],
    documents: new URL(`../${name}`, import.meta.url),
    indexDir: new URL(`../.index/${chosen}/${name}`, import.meta.url),
    mode,
    ...(mode === 'keyword' ? {} : embedding(chosen)),
  });
}

function embedding(chosen: Encoder): { embed: () => Embedder; credentialEnv?: string } {
  if (chosen === 'local') return { embed: () => localEmbedder() };
  return { embed: () => openaiEmbedder(), credentialEnv };
}
