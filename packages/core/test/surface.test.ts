import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import * as core from '../src/index.js';

describe('the public surface', () => {
  it('is this list', () => {
    expect(Object.keys(core).toSorted()).toEqual([
      'ChatError',
      'KnowledgeBase',
      'KnowledgeError',
      'TaskPlan',
      'ToolError',
      'ToolRegistry',
      'announceLine',
      'defineKnowledge',
      'describeIndex',
      'end',
      'folder',
      'next',
      'readDocument',
      'requireBaked',
      'runTool',
      'tool',
    ]);
  });

  it('documents every error code that the sources use', async () => {
    const source = await readFile(new URL('../src/errors.ts', import.meta.url), 'utf8');
    const union = source.slice(
      source.indexOf('export type KnowledgeErrorCode'),
      source.indexOf('/** Why a document'),
    );
    const codes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, code]) => code ?? '');
    expect(codes.length).toBeGreaterThan(8);
    for (const code of codes) expect(source).toContain(`| \`${code}\` |`);
  });

  it('loads nothing at import that only a bake needs', async () => {
    const packages = new Set<string>();
    const seen = new Set<string>();
    const visit = async (file: URL): Promise<void> => {
      if (seen.has(file.href)) return;
      seen.add(file.href);
      const code = await readFile(file, 'utf8');
      const names = [...code.matchAll(/^(?:import|export)[^;]*?from '([^']+)'/gms)].map(
        ([, name]) => name ?? '',
      );
      for (const name of names.filter((imported) => !/^(\.|node:)/.test(imported)))
        packages.add(name);
      await Promise.all(
        names.filter((name) => name.startsWith('.')).map((name) => visit(new URL(name, file))),
      );
    };
    await visit(new URL('../dist/index.js', import.meta.url));
    expect(seen.size).toBeGreaterThan(15);
    expect([...packages].toSorted()).toEqual(['quick-lru', 'stemmer', 'valibot']);
  });
});
