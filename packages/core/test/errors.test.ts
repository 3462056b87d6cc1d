import { describe, expect, it } from 'vitest';

import { KnowledgeError, withBase } from '../src/errors.js';

describe('KnowledgeError', () => {
  it('is an Error with its code, fields and cause', () => {
    const cause = new Error('disk');
    const error = new KnowledgeError({
      code: 'index-corrupt',
      message: 'damaged',
      base: 'refunds',
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(KnowledgeError);
    expect(error).toMatchObject({
      name: 'KnowledgeError',
      code: 'index-corrupt',
      base: 'refunds',
      cause,
    });
    expect(error.stack).toContain('errors.test');
  });

  it('is known across two copies of the package', async () => {
    const copy: { readonly KnowledgeError: typeof KnowledgeError } =
      await import('../dist/errors.js');
    expect(copy.KnowledgeError).not.toBe(KnowledgeError);
    expect(new copy.KnowledgeError({ code: 'index-missing', message: 'none' })).toBeInstanceOf(
      KnowledgeError,
    );
    expect(new Error('other')).not.toBeInstanceOf(KnowledgeError);
    const nothing: unknown = null;
    expect(nothing instanceof KnowledgeError).toBe(false);
  });

  it('takes the name of its base once, and leaves other errors alone', () => {
    const error = new KnowledgeError({
      code: 'document-unreadable',
      message: 'broken',
      document: 'a.pdf',
      reason: 'broken',
    });
    const named = withBase(error, 'refunds');
    expect(named).toMatchObject({
      message: "Base 'refunds': broken",
      base: 'refunds',
      document: 'a.pdf',
      reason: 'broken',
    });
    expect(withBase(named, 'luggage')).toBe(named);
    const other = new TypeError('x');
    expect(withBase(other, 'refunds')).toBe(other);
  });
});
