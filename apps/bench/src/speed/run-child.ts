import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { EngineName } from './engine.js';

/** Figures of one measurement, by name; what was not measured is `NaN`. */
export type Figures = (name: string) => number;

export interface ChildTask {
  readonly engine: EngineName;
  readonly step: 'build' | 'load' | 'memory';
  readonly passagesFile: string;
  readonly questionsFile: string;
  readonly folder: string;
  /** When to give up, on the clock of `performance.now()`. */
  readonly until: number;
}

const script = fileURLToPath(new URL('child.js', import.meta.url));
const execute = promisify(execFile);

/** Measures in a fresh process; a process that is not done in time is ended, and nothing was measured. */
export async function runChild(task: ChildTask): Promise<Figures> {
  const { engine, step, passagesFile, questionsFile, folder, until } = task;
  const timeout = Math.round(until - performance.now());
  if (timeout <= 0) return nothing;
  const args = ['--expose-gc', script, engine, step, passagesFile, questionsFile, folder];
  try {
    const { stdout } = await execute(process.execPath, args, { timeout });
    const figures: unknown = JSON.parse(stdout);
    return (name) => numberIn(figures, name);
  } catch (error) {
    if (!(error instanceof Error) || !('killed' in error) || error.killed !== true) throw error;
    return nothing;
  }
}

function nothing(): number {
  return Number.NaN;
}

function numberIn(figures: unknown, name: string): number {
  const value: unknown =
    typeof figures === 'object' && figures !== null ? Reflect.get(figures, name) : undefined;
  return typeof value === 'number' ? value : Number.NaN;
}
