// The entry of a worker thread: a text comes in, the bytes of its vector go out.
import { parentPort } from 'node:worker_threads';

import { Encoder } from './encoder.js';
import { readModel } from './model-file.js';

const encoder = new Encoder(readModel(new URL('./model/', import.meta.url)));

parentPort?.on('message', (text: string) => {
  const { buffer } = encoder.encode(text);
  parentPort?.postMessage(buffer, [buffer]);
});
