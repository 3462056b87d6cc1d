import type { Manifest } from './index/manifest.js';
import type { ResolvedOptions } from './options.js';

/** The settings that change passages or terms: an index baked with others does not fit. */
export function settingsOf(options: ResolvedOptions): Manifest['settings'] {
  const { mode, chunkSize, chunkOverlap, language } = options;
  return { mode, chunkSize, chunkOverlap, language };
}
