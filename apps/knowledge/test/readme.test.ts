import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { startFakeOpenAI } from '@cuecard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const repository = new URL('../../../', import.meta.url);
const bin = fileURLToPath(new URL('packages/cli/dist/bin.js', repository));
const tsc = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc');

/** Inside this package, so that the snippets find what they import. */
const work = new URL('../.vitest/readme/', import.meta.url);

async function blocks(readme: string, language: string): Promise<string[]> {
  const text = await readFile(new URL(readme, repository), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  );
}

async function prepare(readme: string): Promise<string> {
  const folder = new URL(`${readme.replaceAll('/', '-')}/`, work);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return fileURLToPath(folder);
}

function words(command: string): string[] {
  const found = command.replace(/ +#.*$/, '').match(/"[^"]*"|\S+/g) ?? [];
  return found.slice(1).map((word) => word.replaceAll('"', ''));
}

const readmes = [
  'README.md',
  'packages/core/README.md',
  'packages/cli/README.md',
  'packages/local/README.md',
  'packages/openai/README.md',
];

describe.each(readmes)('%s', (readme) => {
  it('shows TypeScript that compiles', async () => {
    const folder = await prepare(readme);
    const snippets = await blocks(readme, 'ts');
    expect(snippets.length).toBeGreaterThan(0);
    const files = snippets.map((_, at) => `snippet-${at + 1}.ts`);
    await Promise.all(snippets.map((code, at) => writeFile(`${folder}/${files[at]}`, code)));
    const compilerOptions = {
      isolatedDeclarations: false,
      declaration: false,
      declarationMap: false,
      noUnusedLocals: false,
    };
    const config = { extends: '../../../tsconfig.json', compilerOptions, files, include: [] };
    await writeFile(`${folder}/tsconfig.json`, JSON.stringify(config));
    const result = await run(process.execPath, [tsc, '-p', folder]).catch(
      (error: unknown) => error,
    );
    expect(result).toMatchObject({ stdout: '' });
  });

  it('shows commands that run, in order, beside the config it shows', async () => {
    const folder = await prepare(readme);
    for (const base of ['refunds', 'luggage'])
      await cp(new URL(`../${base}`, import.meta.url), `${folder}/knowledge/${base}`, {
        recursive: true,
      });
    const server = await startFakeOpenAI();
    onTestFinished(() => server.close());
    const env = { ...process.env, OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.url };
    const config = (await blocks(readme, 'ts')).find((code) => code.includes('export default'));
    if (config !== undefined) await writeFile(`${folder}/cuecard.config.ts`, config);
    const lines = (await blocks(readme, 'sh')).flatMap((code) => code.split('\n'));
    for (const command of lines.filter((line) => line.startsWith('cuecard '))) {
      const ended = await run(process.execPath, [bin, ...words(command)], {
        cwd: folder,
        env,
      }).catch((error: unknown) => error);
      expect(ended, command).not.toBeInstanceOf(Error);
    }
  });
});
