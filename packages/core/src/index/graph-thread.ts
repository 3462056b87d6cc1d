import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

import type { Usearch } from './usearch.js';

/** What is to be written where. */
export interface GraphTask {
  readonly settings: ConstructorParameters<Usearch['Index']>[0];
  /** Numbers of the vectors, which stand one after another in `matrix`. */
  readonly keys: BigUint64Array<ArrayBuffer>;
  readonly matrix: Float32Array<ArrayBuffer>;
  readonly path: string;
}

/*
 * A text, for a thread cannot be started from a TypeScript file. One `add`: usearch draws levels anew when it
 * makes room, so the same vectors in several calls give other bytes.
 */
const script = `
const { workerData } = require('node:worker_threads');
const { usearch, settings, keys, matrix, path } = workerData;
const { Index } = require(usearch);
const index = new Index(settings);
index.add(keys, matrix, 1);
index.save(path);
`;

/**
 * Links the vectors to a graph and saves them, in a thread of its own: that takes a millisecond and more for each of them,
 * and usearch gives nobody else a turn. Takes the arrays away. Rejects with the signal's reason as soon as it aborts.
 */
export async function saveGraph(task: GraphTask, signal?: AbortSignal): Promise<void> {
  const usearch = createRequire(import.meta.url).resolve('usearch');
  const worker = new Worker(script, {
    eval: true,
    // What this process was started with may say that a text is a module.
    execArgv: [],
    workerData: { ...task, usearch },
    transferList: [task.keys.buffer, task.matrix.buffer],
  });
  // After an abort nobody else listens.
  worker.on('error', () => undefined);
  try {
    const [code]: unknown[] = await once(worker, 'exit', { ...(signal && { signal }) });
    if (code !== 0) throw new Error('the thread that builds the vector graph has ended early');
  } catch (error) {
    void worker.terminate();
    signal?.throwIfAborted();
    throw error;
  }
}
