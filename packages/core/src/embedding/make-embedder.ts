import * as v from 'valibot';

import type { Embedder } from '../embedder.js';
import { KnowledgeError } from '../errors.js';
import type { EmbedderIdentity } from '../index/manifest.js';
import type { ResolvedOptions } from '../options.js';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const shape = v.looseObject({
  id: v.pipe(v.string(), v.minLength(1)),
  revision: v.string(),
  dimensions: v.pipe(count, v.maxValue(4096)),
  weight: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  maxBatch: count,
  maxTokens: count,
  embed: v.function(),
});

/** The embedder of a base that has one, checked to be one. Throws `embedder-failed`. */
export function makeEmbedder({
  mode,
  embed,
}: Pick<ResolvedOptions, 'mode' | 'embed'>): Embedder | undefined {
  if (mode === 'keyword' || !embed) return undefined;
  const embedder = call(embed);
  const checked = v.safeParse(shape, embedder, { abortEarly: true });
  if (checked.success) return embedder;
  const field = v.getDotPath(checked.issues[0]) ?? 'embedder';
  const message = `'embed' did not return an embedder: its ${field} is not valid. See the Embedder contract.`;
  throw new KnowledgeError({ code: 'embedder-failed', message });
}

export function embedderIdentity(embedder: Embedder): EmbedderIdentity {
  const { id, revision, dimensions, maxTokens } = embedder;
  return { id, revision, dimensions, maxTokens };
}

function call(embed: () => Embedder): Embedder {
  try {
    return embed();
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    throw new KnowledgeError({
      code: 'embedder-failed',
      message: `the embedder could not be made${why}`,
      cause,
    });
  }
}
