import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

it('has snippets in its README that compile', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const snippets = [...readme.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)];
  expect(snippets).toHaveLength(4);
  // Inside of the package, where its name and its dependencies are found.
  const folder = join(root, '.vitest', `readme-${process.pid}`);
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [, name = '', text = ''] of snippets) await writeFile(join(folder, name), text);
  const compilerOptions = { noEmit: true, isolatedDeclarations: false, declaration: false };
  const config = {
    extends: '../../../../tsconfig.base.json',
    compilerOptions: { ...compilerOptions, declarationMap: false },
    include: ['*.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  const args = [join(compiler, '../bin/tsc'), '-p', folder];
  const result = await promisify(execFile)(process.execPath, args).catch((error: unknown) => error);
  expect(result).toMatchObject({ stdout: '' });
}, 60_000);
