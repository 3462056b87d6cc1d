import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const run = promisify(execFile);
const root = new URL('../', import.meta.url);
const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
const tsc = typescript.replace('package.json', 'bin/tsc');

async function blocks(language: string): Promise<readonly string[]> {
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const found = readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
  return [...found].map(([, code = '']) => code);
}

it('shows TypeScript that compiles', async () => {
  // Inside this package, so that the snippets find what they import.
  const folder = new URL('.vitest/readme/', root);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const snippets = await blocks('ts');
  expect(snippets.length).toBeGreaterThan(0);
  const files = snippets.map((_, at) => `snippet-${at + 1}.ts`);
  await Promise.all(snippets.map((code, at) => writeFile(new URL(files[at] ?? '', folder), code)));
  const config = { extends: '../../tsconfig.json', files, include: [] };
  await writeFile(new URL('tsconfig.json', folder), JSON.stringify(config));
  const compiled = run(process.execPath, [tsc, '-p', fileURLToPath(folder)]);
  expect(await compiled.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
});

it('shows commands that are there', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  const commands = (await blocks('sh')).join('').matchAll(/^pnpm --filter (\S+) (\S+)$/gm);
  const shown = [...commands].map(([, app, script]) => ({ app, script }));
  expect(shown.map(({ script }) => script)).toEqual(['bake', 'chat', 'start']);
  for (const { app, script } of shown) {
    expect(app).toBe('livekit-front-desk');
    expect(scripts).toHaveProperty([script ?? '']);
  }
});
