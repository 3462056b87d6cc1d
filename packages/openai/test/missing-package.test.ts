import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);
const project = fileURLToPath(new URL('../tsconfig.build.json', import.meta.url));
const core = fileURLToPath(new URL('../node_modules/@cuecard/core', import.meta.url));
const program = `
import { openaiEmbedder } from './index.js';
await openaiEmbedder({ apiKey: 'k' }).embed(['a bag'], { kind: 'query' }).catch((error) => {
  console.log(error.message);
});
`;

it('says what to install where the openai package is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await run(process.execPath, [compiler, '-p', project, '--outDir', folder]);
  await mkdir(join(folder, 'node_modules/@cuecard'), { recursive: true });
  await symlink(core, join(folder, 'node_modules/@cuecard/core'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'program.js'), program);
  const { stdout } = await run(process.execPath, [join(folder, 'program.js')]);
  expect(stdout).toContain('npm install openai');
}, 30_000);
