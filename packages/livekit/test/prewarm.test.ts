import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { KnowledgeBase, KnowledgeError } from '@cuecard/core';
import { describe, expect, it, onTestFinished } from 'vitest';

import { prewarmKnowledge, refreshKnowledge } from '../src/index.js';
import { bakedBase, flatEmbedder, luggageFact, refundFact } from './support/bases.js';
import { loggedErrors } from './support/log.js';
import { tempFolder } from './support/temp-folder.js';

describe('prewarmKnowledge', () => {
  it('starts the bases and says in the process how each is doing', async () => {
    const refunds = await bakedBase('refunds', refundFact);
    const luggage = await bakedBase('luggage', luggageFact);
    const process = { userData: { own: 1 } };
    const statuses = await prewarmKnowledge(refunds.base, luggage.base)(process);
    expect(statuses).toMatchObject([
      { name: 'refunds', state: 'ready', baked: true },
      { name: 'luggage', state: 'ready', baked: true },
    ]);
    expect(process.userData).toEqual({ own: 1, knowledge: statuses });
  });

  it('does not throw when a base fails; its lookups are unavailable, the others work', async () => {
    const refunds = await bakedBase('refunds', refundFact);
    const missing = new KnowledgeBase({
      name: 'missing',
      indexDir: join(await tempFolder(), 'nothing'),
    });
    const process = { userData: {} };
    const statuses = await prewarmKnowledge(missing, refunds.base)(process);
    expect(statuses).toMatchObject([
      { name: 'missing', state: 'idle', error: { code: 'index-missing' } },
      { name: 'refunds', state: 'ready' },
    ]);
    expect(statuses[1]).not.toHaveProperty('error');
    expect(await missing.lookUp('refund')).toEqual({ error: 'lookup unavailable' });
  });

  it('does not wait for a base that takes too long, and lets it finish', async () => {
    const events = new EventTarget();
    const embedder = flatEmbedder({ warmUp: async () => void (await once(events, 'warm')) });
    const { base } = await bakedBase('slow', refundFact, { mode: 'hybrid', embed: () => embedder });
    const before = performance.now();
    const [status] = await prewarmKnowledge(base)({ userData: {} });
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(status?.error).toBeInstanceOf(Error);
    events.dispatchEvent(new Event('warm'));
    await expect.poll(() => base.status().state, { timeout: 10_000 }).toBe('ready');
  });
});

/** A base that is built at its start, of documents that `read` fails to give. */
function failingBase(read: () => Promise<never>): KnowledgeBase {
  const source = {
    name: 'wiki',
    entries: () => ({ [Symbol.asyncIterator]: () => ({ next: read }) }),
  };
  return new KnowledgeBase({ name: 'refunds', documents: source, mode: 'keyword' });
}

describe('the log', () => {
  it('says why a base could not be made ready, also when that comes late', async () => {
    const events = new EventTarget();
    const base = failingBase(async () => {
      await once(events, 'failed');
      throw new KnowledgeError({ code: 'documents-missing', message: 'the wiki is gone.' });
    });
    const logged = loggedErrors();
    await refreshKnowledge(base);
    const late = "Base 'refunds' could not be started: it took more than 1000 ms; it goes on";
    expect(logged.lines).toEqual([late]);
    events.dispatchEvent(new Event('failed'));
    const failed = "Base 'refunds' could not be started: Base 'refunds': the wiki is gone.";
    await expect.poll(() => logged.lines, { timeout: 10_000 }).toEqual([late, failed]);
  });

  it('holds nothing of an error that is not ours', async () => {
    const error = new Error('wrong key: secret-key');
    const logged = loggedErrors();
    const [status] = await refreshKnowledge(failingBase(async () => Promise.reject(error)));
    expect(status?.error).toBe(error);
    expect(logged.lines).toEqual(["Base 'refunds' could not be started: unknown reason"]);
  });
});

describe('refreshKnowledge', () => {
  it('takes a bake into use that came after the process was prewarmed', async () => {
    const { base, rewrite } = await bakedBase('refunds', refundFact);
    await prewarmKnowledge(base)({ userData: {} });
    const before = base.status().generation;
    await rewrite('A refund takes seven working days.');
    const [status] = await refreshKnowledge(base);
    expect(status?.generation).not.toBe(before);
    expect(JSON.stringify(await base.lookUp('refund'))).toContain('seven working days');
  });

  it('starts a base again whose start has failed', async () => {
    const folder = await tempFolder();
    const indexDir = join(folder, 'index');
    const late = new KnowledgeBase({ name: 'refunds', indexDir, mode: 'keyword' });
    onTestFinished(() => late.close());
    expect(await prewarmKnowledge(late)({ userData: {} })).toMatchObject([{ state: 'idle' }]);
    await bakedBase('refunds', refundFact, { indexDir });
    const [status] = await refreshKnowledge(late);
    expect(status).toMatchObject({ state: 'ready' });
    expect(status).not.toHaveProperty('error');
  });

  it('keeps serving and does not throw when the new index is damaged', async () => {
    const folder = await tempFolder();
    const { base } = await bakedBase('refunds', refundFact, { indexDir: join(folder, 'index') });
    onTestFinished(() => base.close());
    await base.start();
    const manifest = join(folder, 'index', 'manifest.json');
    await rm(manifest);
    await writeFile(manifest, '{');
    const [status] = await refreshKnowledge(base);
    expect(status).toMatchObject({ state: 'ready', error: { code: 'index-corrupt' } });
    expect(JSON.stringify(await base.lookUp('refund'))).toContain(refundFact);
  });
});
