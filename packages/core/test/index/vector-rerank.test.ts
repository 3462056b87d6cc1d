import { beforeAll, describe, expect, it } from 'vitest';

import type { Logger } from '../../src/logger.js';
import type { SearchHit } from '../../src/lookup/lookup-result.js';
import type { Rerank } from '../../src/lookup/rerank.js';
import type { Mode } from '../../src/mode.js';
import type { KnowledgeBaseOptions } from '../../src/options.js';
import { base, queries } from './baked-index.js';
import { bakeVectors, vectorBase } from './vector-base.js';

const modes: readonly Mode[] = ['keyword', 'meaning', 'hybrid'];
const [question = ''] = queries;
let indexDir: string;

beforeAll(async () => {
  indexDir = await bakeVectors('one');
});

/** The best three passages of the question. */
async function searched(
  mode: Mode,
  options: Partial<KnowledgeBaseOptions> = {},
): Promise<readonly SearchHit[]> {
  const knowledge =
    mode === 'keyword'
      ? base({ indexDir, ...options })
      : vectorBase({ indexDir, mode, ...options });
  await knowledge.start();
  const { results } = await knowledge.search(question);
  await knowledge.close();
  return results;
}

function ids(hits: readonly SearchHit[]): number[] {
  return hits.map(({ id }) => id);
}

const throwing: Rerank = (query) => {
  throw new Error(query);
};
const rejecting: Rerank = (query) => Promise.reject(new Error(query));
const inventing: Rerank = (_query, hits) =>
  hits.flatMap((hit) => [{ ...hit, id: 1e6, text: 'Made up.' }, hit, { ...hit, id: -1 }, hit]);

describe.each(modes)('rerank in mode %s', (mode) => {
  it('is offered the question and at most twenty hits, best first', async () => {
    const seen: { query: string; hits: readonly SearchHit[] }[] = [];
    const rerank: Rerank = (query, hits) => {
      seen.push({ query, hits });
      return hits;
    };
    expect(await searched(mode, { rerank })).toEqual(await searched(mode));
    expect(seen).toHaveLength(1);
    const [{ query, hits } = { query: '', hits: [] }] = seen;
    expect(query).toBe(question);
    expect(hits.length).toBeGreaterThan(3);
    expect(hits.length).toBeLessThanOrEqual(20);
    expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, at) => at + 1));
  });

  it('puts the hits into its order', async () => {
    let last: number[] = [];
    const rerank: Rerank = async (_query, hits) => {
      last = ids(hits).toReversed();
      return hits.toReversed();
    };
    const reranked = await searched(mode, { rerank });
    expect(ids(reranked)[0]).toBe(last[0]);
    expect(reranked.map(({ rank }) => rank)).toEqual(reranked.map((_, at) => at + 1));
    expect(ids(reranked)).not.toEqual(ids(await searched(mode)));
  });

  it('may leave hits out, all of them too', async () => {
    const [, second] = await searched(mode);
    const kept = await searched(mode, {
      rerank: (_query, hits) => hits.filter(({ id }) => id === second?.id),
    });
    expect(ids(kept)).toEqual([second?.id]);
    expect(await searched(mode, { rerank: () => [] })).toEqual([]);
  });

  it('changes nothing when it throws, and what it said is in no log', async () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const logger: Logger = { debug: write, info: write, warn: write, error: write };
    const plain = await searched(mode);
    expect(await searched(mode, { rerank: throwing, logger })).toEqual(plain);
    expect(await searched(mode, { rerank: rejecting, logger })).toEqual(plain);
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain(question);
  });

  it('cannot bring in passages that were not found, nor one twice', async () => {
    const plain = await searched(mode);
    expect(await searched(mode, { rerank: inventing })).toEqual(plain);
  });
});
