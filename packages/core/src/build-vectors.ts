import type { Embedder } from './embedder.js';
import { embedPassages } from './embedding/embed-passages.js';
import { writeVectors } from './index/vector-writer.js';
import type { BakeOptions } from './progress.js';

/** The vector file of the texts, and what a person should know of it. Closes the embedder. */
export async function buildVectors(
  embedder: Embedder,
  texts: readonly string[],
  language: string,
  { signal, onProgress }: BakeOptions,
): Promise<{ readonly bytes: Buffer; readonly warnings: readonly string[] }> {
  const { id, languages, dimensions } = embedder;
  const warnings: string[] = [];
  if (languages && !languages.includes(language))
    warnings.push(`embedder '${id}' does not know the language of the documents (${language})`);
  try {
    const { vectors, windowed } = await embedPassages(embedder, texts, {
      signal,
      onProgress: (done) => onProgress?.({ phase: 'embed', done, total: texts.length }),
    });
    if (windowed > 0)
      warnings.push(
        `embedded in parts, being longer than embedder '${id}' takes: ${windowed} of ${texts.length} passages`,
      );
    return { bytes: await writeVectors(vectors, dimensions), warnings };
  } finally {
    await embedder.close?.();
  }
}
