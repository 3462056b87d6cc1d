import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startFakeOpenAI } from '@cuecard/testing';
import { expect, onTestFinished } from 'vitest';

import { startDispatcher } from '../children/dispatcher.mjs';
import { tempFolder } from './temp-folder.js';

/** What a job process has written down. */
interface JobEvent {
  readonly pid: number;
  readonly event: 'loaded' | 'prewarmed' | 'answered';
  readonly states?: readonly string[];
  readonly sinceImportMs?: number;
  readonly grownBytes?: number;
  readonly job?: string;
  readonly generation?: string;
  readonly outputs?: readonly string[];
}

/** V8's nursery grows to 16 MB with any work at all; that is not the base's. */
const memoryFlags = ['--expose-gc', '--max-semi-space-size=1'];

/** A LiveKit worker with its job processes. */
export interface Worker {
  /** All that its log has said so far. */
  log(): string;
  /** What its job processes have written down. */
  events(event: JobEvent['event']): readonly JobEvent[];
  dispatch(id: string): void;
}

/** Starts a worker that is assigned jobs by a dispatcher in this process; both end with the test. */
export async function startWorker(processes: number, indexDir: string): Promise<Worker> {
  const report = join(await tempFolder(), 'report.jsonl');
  const dispatcher = await startDispatcher();
  const server = await startFakeOpenAI({
    chat: ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'That is all.' }
        : {
            calls: ['look_up', 'look_up_missing'].map((name) => ({
              name,
              arguments: { query: 'news of the house' },
            })),
          },
  });
  const script = fileURLToPath(new URL('../children/worker.mjs', import.meta.url));
  const key = ['--api-key', 'key', '--api-secret', 'secret-of-at-least-thirty-two-characters'];
  const child = spawn(
    process.execPath,
    [...memoryFlags, script, 'start', '--url', dispatcher.url, ...key],
    {
      env: {
        ...process.env,
        REPORT: report,
        INDEX_DIR: indexDir,
        DIMENSIONS: '1024',
        CHAT_URL: server.url,
        PROCESSES: String(processes),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      log += piece.toString();
    });
  const exited = once(child, 'exit');
  const events = (event: JobEvent['event']): readonly JobEvent[] =>
    readEvents(report).filter((found) => found.event === event);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    // A worker that is killed leaves its job processes behind.
    for (const { pid } of events('loaded')) stop(pid);
    await dispatcher.close();
    await server.close();
  });
  await Promise.race([dispatcher.registered, exited.then(() => expect.fail(log))]);
  return { log: () => log, events, dispatch: (id) => dispatcher.dispatch(id) };
}

function readEvents(report: string): readonly JobEvent[] {
  if (!existsSync(report)) return [];
  const lines = readFileSync(report, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const event: JobEvent = JSON.parse(line);
    return event;
  });
}

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
