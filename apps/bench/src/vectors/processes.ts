import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a process takes that opens an index which other processes have open already. */
export interface ProcessMeasurement {
  /** Which process it is, from 1. */
  readonly place: number;
  /** Milliseconds of `start()`, every digest checked. */
  readonly startMs: number;
  /** Private memory in megabytes that the base and its lookups added, and what the local encoder adds to it. */
  readonly memory: number;
  readonly encoder: number;
}

const processes = 3;
const script = fileURLToPath(new URL('child.js', import.meta.url));

/** Starts processes one after another over the same index; all stay until the last is measured. */
export async function measureProcesses(
  folder: string,
  dimensions: number,
  questionsFile: string,
): Promise<ProcessMeasurement[]> {
  const children: ChildProcess[] = [];
  const measurements: ProcessMeasurement[] = [];
  try {
    for (let place = 1; place <= processes; place++) {
      const args = ['--expose-gc', script, folder, String(dimensions), questionsFile];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(child);
      const [line]: unknown[] = await once(child.stdout, 'data');
      const figures: unknown = JSON.parse(String(line));
      const number = (name: string): number =>
        Number(typeof figures === 'object' && figures !== null ? Reflect.get(figures, name) : '');
      const [startMs, memory] = [number('startMs'), number('memory')];
      measurements.push({ place, startMs, memory, encoder: number('encoder') });
    }
  } finally {
    for (const child of children) child.stdin?.end();
  }
  return measurements;
}

/** Megabytes of the index's keyword file. */
export async function keywordMegabytes(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  const file = files.find((name) => name.endsWith('keywords.bin'));
  return file === undefined ? Number.NaN : (await stat(join(folder, file))).size / 1024 / 1024;
}
