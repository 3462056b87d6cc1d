// Installs the packed packages beside the lowest and the newest supported framework, as a user would, and uses them from ES
// modules and from CommonJS: a call with a hand-off and a lookup, and a compile that checks declaration files too.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { startFakeOpenAI } from '@cuecard/testing';

const versions = ['1.9.0', '1.5.0'];
const consumer = fileURLToPath(new URL('./consumer/', import.meta.url));
const require = createRequire(import.meta.url);
const compiler = join(require.resolve('typescript/package.json'), '../bin/tsc');

const folder = mkdtempSync(join(tmpdir(), 'cuecard-consumers-'));
try {
  const [core, livekit] = ['core', 'livekit'].map(pack);
  for (const version of versions) await check(version, core, livekit);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack(name) {
  const cwd = fileURLToPath(new URL(`../../${name}/`, import.meta.url));
  run('pnpm', ['pack', '--pack-destination', folder], cwd);
  return join(
    folder,
    readdirSync(folder).find((file) => file.startsWith(`cuecard-${name}-`)),
  );
}

async function check(version, core, livekit) {
  const project = join(folder, version);
  mkdirSync(project);
  cpSync(consumer, project, { recursive: true });
  cpSync(join(project, 'types.mts'), join(project, 'types.cts'));
  const manifest = {
    private: true,
    dependencies: {
      '@cuecard/core': `file:${core}`,
      '@cuecard/livekit': `file:${livekit}`,
      '@livekit/agents': version,
      '@livekit/agents-plugin-openai': version,
      '@livekit/rtc-node': '^0.13.34',
      zod: '^4.2.0',
    },
    devDependencies: { '@types/json-schema': '*', '@types/node': '^20', '@types/ws': '*' },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], project);
  run(process.execPath, [compiler, '-p', '.'], project);
  for (const main of ['main.mjs', 'main.cjs']) await talk(version, project, main);
}

async function talk(version, project, main) {
  const server = await startFakeOpenAI();
  server.reply(
    { calls: [{ name: 'go_to_refunds', arguments: {} }] },
    { text: 'Refunds, yes?' },
    { calls: [{ name: 'look_up', arguments: { query: 'refund' } }] },
    { text: 'Five working days.' },
  );
  const { stdout: output } = await promisify(execFile)(process.execPath, [main, server.url], {
    cwd: project,
    timeout: 60_000,
  });
  await server.close();
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  if (!sent.includes('five working days') || !output.includes('Five working days.'))
    throw new Error(`${main} with ${version} has not answered: ${output}`);
  console.log(`@livekit/agents ${version}, ${main}: compiled, moved on, looked up, answered`);
}

function run(command, args, cwd) {
  try {
    execFileSync(command, args, { cwd, stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`, {
      cause: error,
    });
  }
}
