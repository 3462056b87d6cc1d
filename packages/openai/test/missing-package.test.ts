import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'program.js'), program);
  const { stdout } = await run(process.execPath, [join(folder, 'program.js')]);
  expect(stdout).toContain('npm install openai');
}, 30_000);
