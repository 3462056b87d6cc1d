import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  type Embedder,
  KnowledgeBase,
  KnowledgeError,
  type KnowledgeBaseOptions,
} from '../src/index.js';
import { resolveOptions } from '../src/options.js';

const valid: KnowledgeBaseOptions = { name: 'refunds', documents: './documents' };

const embedder: Embedder = {
  id: 'two',
  dimensions: 2,
  revision: '1',
  weight: 0.5,
  maxBatch: 8,
  maxTokens: 100,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
};

function failure(options: object): KnowledgeError {
  try {
    // What a program without types could pass.
    Reflect.construct(KnowledgeBase, [options]);
  } catch (error) {
    if (error instanceof KnowledgeError) return error;
    throw error;
  }
  throw new Error('the options were taken');
}

function codeOf(options: unknown): string {
  try {
    Reflect.construct(KnowledgeBase, [options]);
    return 'taken';
  } catch (error) {
    return error instanceof KnowledgeError ? error.code : String(error);
  }
}

describe('options of a base', () => {
  it('fill in the defaults', () => {
    expect(resolveOptions(valid)).toMatchObject({
      mode: 'keyword',
      chunkSize: 90,
      chunkOverlap: 20,
      topK: 3,
      minScore: 0,
      deadlineMs: 600,
      cacheSize: 500,
      storage: 'mapped',
      language: 'auto',
      verifyDocuments: false,
    });
  });

  it('make a base with an embedder hybrid unless it says otherwise', () => {
    expect(resolveOptions({ ...valid, embed: () => embedder }).mode).toBe('hybrid');
    expect(
      resolveOptions({ ...valid, embed: () => embedder, mode: 'meaning', minScore: 0.2 }).mode,
    ).toBe('meaning');
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'a/b' }],
    ['name', { name: undefined }],
    ['tenant', { tenant: '' }],
    ['documents', { documents: 7 }],
    ['documents', { documents: undefined }],
    ['documents', { documents: [] }],
    ['indexDir', { indexDir: '' }],
    ['mode', { mode: 'fuzzy' }],
    ['chunkSize', { chunkSize: 0 }],
    ['chunkSize', { chunkSize: 2049 }],
    ['chunkSize', { chunkSize: 1.5 }],
    ['chunkSize', { chunkSize: '90' }],
    ['chunkOverlap', { chunkOverlap: -1 }],
    ['chunkOverlap', { chunkSize: 50, chunkOverlap: 51 }],
    ['topK', { topK: 0 }],
    ['topK', { topK: 21 }],
    ['topK', { topK: Number.NaN }],
    ['minScore', { embed: () => embedder, minScore: 1.1 }],
    ['minScore', { minScore: 0.1 }],
    ['embed', { mode: 'keyword', embed: () => embedder }],
    ['embed', { mode: 'hybrid' }],
    ['embed', { mode: 'meaning' }],
    ['credentialEnv', { credentialEnv: 'NOT A NAME' }],
    ['deadlineMs', { deadlineMs: 0 }],
    ['cacheSize', { cacheSize: -1 }],
    ['cacheSize', { cacheSize: 1.5 }],
    ['storage', { storage: 'disk' }],
    ['language', { language: 'English' }],
    ['verifyDocuments', { verifyDocuments: 'yes' }],
    ['verifyDocuments', { documents: [], indexDir: './index', verifyDocuments: true }],
    ['language', { language: 'eng' }],
    ['documents', { documents: new URL('https://skerryair.example/refunds') }],
    ['indexDir', { indexDir: new URL('https://skerryair.example/index') }],
    ['fusion', { fusion: 'best' }],
    ['rerank', { rerank: 'yes' }],
    ['logger', { logger: { info() {} } }],
    ['onLookup', { onLookup: 'log' }],
    ['topk', { topk: 3 }],
  ])('refuse a wrong %s at construction, naming it and what is allowed (%o)', (field, wrong) => {
    const error = failure({ ...valid, ...wrong });
    expect(error).toMatchObject({ code: 'options-invalid', field });
    expect(error.allowed).toBeTruthy();
    expect(error.message).toContain(field);
    expect(error.message).toContain(error.allowed);
  });

  it('say the allowed values of a mode and the allowed range of a number', () => {
    expect(failure({ ...valid, mode: 'fuzzy' }).allowed).toBe("'meaning', 'keyword' or 'hybrid'");
    expect(failure({ ...valid, topK: 99 }).allowed).toContain('1 to 20');
  });

  it('refuse anything that is not an object of options', () => {
    for (const nothing of [null, undefined, 'refunds', 7]) {
      expect(() => Reflect.construct(KnowledgeBase, [nothing])).toThrow(KnowledgeError);
    }
  });

  it('either make a base or throw options-invalid, whatever they are', () => {
    const anything = fc.dictionary(
      fc.constantFrom('name', 'documents', 'mode', 'chunkSize', 'topK', 'embed', 'logger', 'x'),
      fc.anything(),
    );
    fc.assert(
      fc.property(anything, (options) => {
        expect(codeOf(options)).toMatch(/^(taken|options-invalid)$/);
      }),
    );
  });
});
