import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { onTestFinished, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** Documents of a company, a folder for each base. */
export const knowledge: string = fileURLToPath(new URL('../../../apps/knowledge', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder of the command line; default: the built one of this package. */
  readonly program?: string;
  /** SIGINT is sent when standard error holds this. */
  readonly interruptAt?: string;
}

/** Runs the built command line until it ends. */
export function cuecard(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { cwd = tmpdir(), environment = {}, program = dist, interruptAt } = options;
  const child = spawn(process.execPath, [join(program, 'bin.js'), ...args], {
    cwd,
    env: { ...process.env, CUECARD_DEBUG: '', OPENAI_API_KEY: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  let interrupted = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (interruptAt === undefined || interrupted || !stderr.includes(interruptAt)) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** A folder that is gone after the test. */
export async function temporaryFolder(
  files: Readonly<Record<string, string>> = {},
  parent: string = tmpdir(),
): Promise<string> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'cuecard-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFiles(folder, files);
  return folder;
}

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }),
  );
}

/** A folder below this package, so that a config in it can import the library. */
export function projectFolder(files: Readonly<Record<string, string>>): Promise<string> {
  return temporaryFolder(files, fileURLToPath(new URL('../.vitest/projects', import.meta.url)));
}

/** A config of one base an entry of `bases`: its options as source text. */
export function configText(...bases: readonly string[]): string {
  const made = bases.map((options) => `new KnowledgeBase(${options})`);
  return `import { defineKnowledge, KnowledgeBase, type Mode } from '@cuecard/core';
const mode: Mode = 'keyword';
const here = (path: string): URL => new URL(path, import.meta.url);
export default defineKnowledge({ bases: [${made.join(', ')}] });
`;
}
