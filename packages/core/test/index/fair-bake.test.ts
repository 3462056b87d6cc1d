import { describe, expect, it } from 'vitest';

import type { Source } from '../../src/documents/source.js';
import { HashEmbedder } from '../support/hash-embedder.js';
import { tempFolder } from '../support/temp-folder.js';
import { vectorBase } from './vector-base.js';

const text =
  'A suitcase of room %d may weigh thirty kilograms, and the night porter keeps it for ninety days.';

const embed = (): HashEmbedder => new HashEmbedder({ maxBatch: 64 });

/** Documents that are in memory already: reading them waits for nothing. */
function inMemory(count: number): Source {
  return {
    name: 'memory',
    async *entries() {
      for (let at = 0; at < count; at++) {
        const parts = Array.from({ length: 8 }, (_, part) => ({
          text: text.replace('%d', String(at * 8 + part)),
        }));
        const blocks = [{ kind: 'prose', heading: [], parts }] as const;
        const read = async () => ({ blocks, warnings: [] });
        yield { name: `${at}.txt`, bytes: 1, sha256: 'a'.repeat(64), read };
      }
    },
  };
}

const documents = 300;

describe('a bake', () => {
  it.each(['read', 'index'] as const)(
    'lets timers have their turn between the first and the last step of phase %s',
    async (long) => {
      let inside = false;
      let turns = 0;
      const timer = setInterval(() => {
        if (inside) turns++;
      }, 1);
      const indexDir = await tempFolder();
      await vectorBase({ documents: inMemory(documents), indexDir, embed }).bake({
        onProgress({ phase, done, total = documents }) {
          inside = phase === long && done < total;
        },
      });
      clearInterval(timer);
      expect(turns).toBeGreaterThan(2);
    },
  );
});
