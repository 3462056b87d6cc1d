import type { BakeProgress } from '@cuecard/core';
import { SingleBar } from 'cli-progress';

/** Shows on standard error how far a bake is. */
export interface ProgressDisplay {
  show(progress: BakeProgress): void;
  stop(): void;
}

const phases: Readonly<Record<BakeProgress['phase'], string>> = {
  wait: 'waiting for another bake of this index',
  read: 'reading documents',
  index: 'indexing passages',
  embed: 'embedding passages',
  write: 'writing files',
};

/** A line a phase, or with `bars` a bar; a phase whose end is not known counts up. */
export function progressDisplay(base: string, bars: boolean): ProgressDisplay {
  let phase: BakeProgress['phase'] | undefined;
  let bar: SingleBar | undefined;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
  };
  const begin = (title: string, done: number, total?: number): void => {
    stop();
    if (!bars) return void process.stderr.write(`${title}\n`);
    const scale = total === undefined ? '{value}' : '[{bar}] {value}/{total}';
    bar = new SingleBar({ format: `${title} ${scale}`, barsize: 30 });
    bar.start(total ?? 0, done);
  };
  return {
    show({ phase: now, done, total }) {
      if (now !== phase) begin(`${base}: ${phases[now]}`, done, total);
      phase = now;
      bar?.update(done);
      if (done === total) stop();
    },
    stop,
  };
}
