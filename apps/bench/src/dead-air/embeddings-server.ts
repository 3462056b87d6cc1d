import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Faults } from './messages.js';

const program = fileURLToPath(new URL('child.js', import.meta.url));

/** A fake OpenAI server in a process of its own. */
export interface EmbeddingsServer {
  /** Base URL for a client. */
  readonly url: string;
  /** From now on, requests go wrong. */
  goWrong(faults: Faults): Promise<void>;
  /** The texts of the requests that were answered since they go wrong. */
  answered(): Promise<ReadonlySet<unknown>>;
  close(): void;
}

export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  // Many answers wait on the server's one signal at once, of which Node warns.
  const child = fork(program, { execArgv: ['--no-warnings'], serialization: 'advanced' });
  const field = async (name: string): Promise<unknown> => {
    const [message]: unknown[] = await once(child, 'message');
    return typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  };
  const ask = async (message: object, name: string): Promise<unknown> => {
    child.send(message);
    return field(name);
  };
  return {
    url: String(await field('url')),
    async goWrong(faults) {
      await ask(faults, 'url');
    },
    async answered() {
      const texts = await ask({}, 'answered');
      return new Set(Array.isArray(texts) ? texts : []);
    },
    close: () => child.disconnect(),
  };
}
