import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import {
  type Document,
  KnowledgeBase,
  type KnowledgeBaseOptions,
  KnowledgeError,
  type Logger,
  type LookupEvent,
  type Source,
  requireBaked,
} from '../src/index.js';

const sample = fileURLToPath(new URL('../../../apps/knowledge/refunds', import.meta.url));

let folder: string;
let lines: string[];
let logger: Logger;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cuecard-'));
  await cp(sample, join(folder, 'documents'), { recursive: true });
  lines = [];
  const write = (message: string): void => void lines.push(message);
  logger = { debug: write, info: write, warn: write, error: write };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function base(options: Partial<KnowledgeBaseOptions> = {}): KnowledgeBase {
  return new KnowledgeBase({
    name: 'refunds',
    documents: join(folder, 'documents'),
    indexDir: join(folder, 'index'),
    logger,
    ...options,
  });
}

async function started(options: Partial<KnowledgeBaseOptions> = {}): Promise<KnowledgeBase> {
  const refunds = base(options);
  await refunds.bake();
  await refunds.start();
  return refunds;
}

/** Calls a method as a program without types could. */
async function untyped(target: object, method: string, ...args: unknown[]): Promise<unknown> {
  const found: unknown = Reflect.get(target, method);
  if (typeof found !== 'function') throw new TypeError(`no method ${method}`);
  return Reflect.apply(found, target, args);
}

function fail(): never {
  throw new Error('the disk is full');
}

async function failure(run: () => Promise<unknown>): Promise<KnowledgeError> {
  const error: unknown = await run().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof KnowledgeError) return error;
  throw new Error('no KnowledgeError was thrown', { cause: error });
}

describe('a keyword base', () => {
  it('bakes a folder, starts, and gives the right passage with its source and heading', async () => {
    const refunds = await started();
    const outcome = await refunds.lookUp('what is the deadline for form RF-204');
    expect(outcome).toHaveProperty('results');
    if (!('results' in outcome)) return;
    expect(outcome.results.length).toBeGreaterThan(0);
    expect(outcome.results.length).toBeLessThanOrEqual(3);
    expect(outcome.results.some(({ text }) => text.includes('RF-204'))).toBe(true);
    for (const result of outcome.results) {
      expect(await readdir(join(folder, 'documents'))).toContain(result.source);
      expect(result).not.toHaveProperty('score');
    }
    await refunds.close();
  });

  it('answers `results: []` when no word of the query is in the documents', async () => {
    const refunds = await started();
    expect(await refunds.lookUp('xylophone zeppelin')).toEqual({ results: [] });
    expect(await refunds.lookUp('')).toEqual({ results: [] });
    await refunds.close();
  });

  it('returns hits with a score above zero only, best first', async () => {
    const refunds = await started();
    const { results } = await refunds.search('refund voucher', { topK: 20 });
    const scores = results.map((hit) => hit.keywordScore ?? 0);
    expect(scores.every((score) => score > 0)).toBe(true);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(results.map((hit) => hit.rank)).toEqual(results.map((_, at) => at + 1));
    await refunds.close();
  });

  it('is unavailable before it is started and after it is closed, and can be started again', async () => {
    const refunds = base();
    const unavailable = { error: 'lookup unavailable' };
    expect(await refunds.lookUp('refund')).toEqual(unavailable);
    await refunds.bake();
    await refunds.start();
    expect(await refunds.lookUp('refund')).toHaveProperty('results');
    await refunds.close();
    expect(await refunds.lookUp('refund')).toEqual(unavailable);
    expect(refunds.status().state).toBe('closed');
    await refunds.start();
    expect(await refunds.lookUp('refund')).toHaveProperty('results');
    await refunds.close();
  });

  it('is unavailable to a caller that has hung up', async () => {
    const refunds = await started();
    const { status, reason } = await refunds.search('refund', { signal: AbortSignal.abort() });
    expect({ status, reason }).toEqual({ status: 'unavailable', reason: 'aborted' });
    await refunds.close();
  });

  it('never throws out of a lookup, whatever the model sends', async () => {
    const refunds = await started();
    const odd: unknown[] = [
      null,
      undefined,
      7,
      {},
      [],
      '\u0000',
      '\ud800',
      'refund '.repeat(100_000),
      '%s %d',
      '🙂',
    ];
    for (const query of odd) {
      const outcome: unknown = await untyped(refunds, 'lookUp', query, { topK: Number.NaN });
      expect(outcome).toHaveProperty('results');
    }
    await refunds.close();
  });

  it('brings a topK outside its range inside', async () => {
    const refunds = await started();
    expect((await refunds.search('refund', { topK: 0 })).results).toHaveLength(1);
    expect(
      (await refunds.search('the refund of a fare', { topK: 1000 })).results.length,
    ).toBeLessThanOrEqual(20);
    await refunds.close();
  });

  it('reports status and a lookup event without any text', async () => {
    const events: LookupEvent[] = [];
    const refunds = base({ tenant: 'skerry', onLookup: (event) => events.push(event) });
    expect(refunds.status()).toMatchObject({ state: 'idle', passages: 0, baked: false });
    const { counts, generation } = await refunds.bake();
    const starting = refunds.start();
    expect(refunds.status().state).toBe('starting');
    await starting;
    expect(refunds.status()).toMatchObject({
      state: 'ready',
      generation,
      passages: counts.passages,
      baked: true,
    });
    await refunds.lookUp('voucher instead of money');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      base: 'refunds',
      tenant: 'skerry',
      mode: 'keyword',
      generation,
      status: 'found',
    });
    expect(JSON.stringify(events)).not.toContain('voucher');
    await refunds.close();
  });

  it('goes on when its options are null, its logger throws, or onLookup rejects', async () => {
    const refunds = await started({ onLookup: async () => fail() });
    expect(await untyped(refunds, 'lookUp', 'refund', null)).toHaveProperty('results');
    await expect.poll(() => lines).toContain("Base 'refunds': onLookup failed.");
    logger.error = fail;
    expect(await refunds.lookUp('refund')).toHaveProperty('results');
    await refunds.close();
  });

  it('is ready when start() has resolved, also while it was being closed', async () => {
    const refunds = await started();
    const closing = refunds.close();
    await refunds.start();
    await closing;
    expect(await refunds.lookUp('refund')).toHaveProperty('results');
    await refunds.close();
  });

  it('hears what a contraction is about, and not the contraction', async () => {
    const refunds = await started();
    const said = await refunds.lookUp("I didn't get my voucher");
    expect(said).toEqual(await refunds.lookUp('I did not get my voucher'));
    await refunds.close();
  });

  it('goes on when onLookup throws', async () => {
    const refunds = await started({
      onLookup: () => {
        throw new Error('monitoring is down');
      },
    });
    expect(await refunds.lookUp('refund')).toHaveProperty('results');
    await refunds.close();
  });

  it('writes no query and no passage to its logger, and nothing to the console', async () => {
    const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;
    const spies = methods.map((method) => vi.spyOn(console, method));
    await writeFile(join(folder, 'documents', 'empty.md'), '');
    const refunds = base({ indexDir: undefined });
    await refunds.start();
    const queries = ['voucher instead of money', 'zeppelin'];
    for (const query of queries) {
      const { results } = await refunds.search(query);
      for (const { text } of results) expect(lines.join('\n')).not.toContain(text.slice(0, 25));
      expect(lines.join('\n')).not.toContain(query);
    }
    expect(lines.length).toBeGreaterThan(0);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    await refunds.close();
  });
});

describe('a base without a baked index', () => {
  it('reads the documents into memory, warns once, and answers the same', async () => {
    const baked = await started();
    const memory = base({ indexDir: join(folder, 'never-baked') });
    await Promise.all([memory.start(), memory.start()]);
    expect(lines.filter((line) => line.includes('no baked index'))).toHaveLength(1);
    expect(memory.status()).toMatchObject({ state: 'ready', baked: false });
    const query = 'how long do I have to claim';
    expect(await memory.lookUp(query)).toEqual(await baked.lookUp(query));
    await Promise.all([baked.close(), memory.close()]);
  });

  it('is refused by requireBaked, which names the base', async () => {
    const refunds = base();
    expect(await failure(() => requireBaked(refunds))).toMatchObject({
      code: 'index-missing',
      base: 'refunds',
    });
    await refunds.bake();
    await expect(requireBaked(refunds)).resolves.toBeUndefined();
    expect(
      await failure(() => requireBaked(refunds, base({ topK: 5, chunkSize: 50 }))),
    ).toMatchObject({ code: 'index-mismatch' });
  });

  it('cannot bake without an indexDir or without documents', async () => {
    expect(await failure(() => base({ indexDir: undefined }).bake())).toMatchObject({
      code: 'options-invalid',
      field: 'indexDir',
    });
    expect(await failure(() => base({ documents: undefined }).bake())).toMatchObject({
      code: 'options-invalid',
      field: 'documents',
    });
  });
});

describe('a bake', () => {
  it('reports its progress, what it skipped and what it made', async () => {
    await writeFile(join(folder, 'documents', 'empty.md'), '\n');
    await writeFile(join(folder, 'documents', 'logo.png'), 'x');
    const phases = new Set<string>();
    const report = await base().bake({ onProgress: ({ phase }) => phases.add(phase) });
    expect([...phases]).toEqual(['read', 'index', 'write']);
    expect(report).toMatchObject({ language: 'en', written: true, ignored: ['logo.png'] });
    expect(report.warnings).toEqual(["document 'empty.md' holds no text and was left out"]);
    expect(report.counts.passages).toBeGreaterThan(20);
  });

  it('stops when it is told to, and leaves no index', async () => {
    const controller = new AbortController();
    const bake = base().bake({ signal: controller.signal, onProgress: () => controller.abort() });
    await expect(bake).rejects.toThrow(/abort/i);
    await expect(base({ documents: undefined }).start()).rejects.toMatchObject({
      code: 'index-missing',
    });
  });

  it('stops at once when the credential is missing, naming the variable', async () => {
    const error = await failure(() => base({ credentialEnv: 'CUECARD_TEST_UNSET' }).bake());
    expect(error).toMatchObject({ code: 'credential-missing', base: 'refunds' });
    expect(error.message).toContain('CUECARD_TEST_UNSET');
  });

  it('takes documents from any Source', async () => {
    const document: Document = {
      title: 'Ferries',
      blocks: [
        {
          kind: 'prose',
          heading: [],
          parts: [{ text: 'The last ferry leaves at ten past nine.' }],
        },
      ],
      warnings: [],
    };
    const ferries: Source = {
      name: 'ferries',
      async *entries() {
        yield {
          name: 'ferries.json',
          bytes: 10,
          sha256: '0'.repeat(64),
          read: async () => document,
        };
      },
    };
    const refunds = await started({ documents: [join(folder, 'documents'), ferries] });
    const { results } = await refunds.search('when is the last ferry');
    expect(results[0]).toMatchObject({
      source: 'ferries.json',
      citation: { document: 'ferries/ferries.json', title: 'Ferries' },
    });
    await refunds.close();
  });
});

describe('check()', () => {
  it('tells fresh, stale and missing apart and names what changed', async () => {
    const refunds = base();
    expect(await refunds.check()).toMatchObject({ state: 'missing' });
    await refunds.bake();
    expect(await refunds.check()).toMatchObject({ state: 'fresh' });
    await writeFile(join(folder, 'documents', 'new.md'), '# New\n\nText.');
    await writeFile(join(folder, 'documents', 'refunds.md'), '# Refunds\n\nNone.');
    await rm(join(folder, 'documents', 'complaints.md'));
    expect(await refunds.check()).toMatchObject({
      state: 'stale',
      added: ['new.md'],
      removed: ['complaints.md'],
      changed: ['refunds.md'],
    });
    expect(await base({ documents: undefined }).check()).toMatchObject({ state: 'unknown' });
    expect(await base({ chunkSize: 40 }).check()).toMatchObject({ state: 'mismatch' });
  });
});

describe('tool()', () => {
  const note =
    'The results may not answer the question. They are quotations from documents, best match first; where a result has a score, higher means closer. ' +
    'If nothing returned answers what was asked, say you do not have that information rather than offering the closest result.';

  it('describes itself with the owner’s words, a blank line and our note', () => {
    const tool = base().tool({ name: 'refund_rules', description: 'Look up refund rules.' });
    expect(tool.name).toBe('refund_rules');
    expect(tool.description).toBe(`Look up refund rules.\n\n${note}`);
    expect(tool.parameters).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', description: "What to look up. Use the caller's own words." },
      },
      required: ['query'],
      additionalProperties: false,
    });
  });

  it('is called look_up and has the note alone by default', () => {
    expect(base().tool()).toMatchObject({ name: 'look_up', description: note });
  });

  it('runs a lookup and always gives the model an object', async () => {
    const refunds = base();
    const tool = refunds.tool();
    expect(await tool.run({ query: 'voucher' })).toEqual({ error: 'lookup unavailable' });
    await refunds.bake();
    await refunds.start();
    expect(await tool.run({ query: 'voucher' })).toEqual(await refunds.lookUp('voucher'));
    expect(await untyped(tool, 'run', null)).toEqual({ error: 'lookup unavailable' });
    expect(await untyped(tool, 'run', { q: 'voucher' })).toEqual({ error: 'lookup unavailable' });
    await refunds.close();
  });

  it('refuses a name that models refuse', () => {
    expect(() => base().tool({ name: 'look up' })).toThrow(KnowledgeError);
  });
});
