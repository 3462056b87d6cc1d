import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

/** What a built file imports, and what that imports, at once or later. */
async function importsOf(entry: URL): Promise<{ files: string[]; packages: string[] }> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = async (file: URL): Promise<void> => {
    if (files.has(file.href)) return;
    files.add(file.href);
    const code = await readFile(file, 'utf8');
    const named = [
      ...code.matchAll(/^(?:import|export)\b[^;'"]*?from ['"]([^'"]+)['"]/gm),
      ...code.matchAll(/\bimport(?: |\()['"]([^'"]+)['"]/g),
    ];
    for (const [, name = ''] of named) {
      if (name.startsWith('.')) await visit(new URL(name, file));
      else packages.add(name);
    }
  };
  await visit(entry);
  return { files: [...files], packages: [...packages] };
}

describe('@cuecard/core/tools', () => {
  it('loads no Node built-in and nothing native, so that a browser can have it', async () => {
    const { files, packages } = await importsOf(new URL('../../dist/tools.js', import.meta.url));
    expect(files.length).toBeGreaterThan(15);
    expect(packages).toEqual(['@cfworker/json-schema']);
    const validator = new URL(import.meta.resolve('@cfworker/json-schema'));
    expect((await importsOf(validator)).packages).toEqual([]);
  });

  it('uses no global that only Node has', async () => {
    const { files } = await importsOf(new URL('../../dist/tools.js', import.meta.url));
    for (const file of files) {
      const code = await readFile(new URL(file), 'utf8');
      expect(code, file).not.toMatch(/\b(process|Buffer|global|require|setImmediate)\b[.(]/);
    }
  });
});
