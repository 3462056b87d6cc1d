import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import * as v from 'valibot';

import type { KnowledgeBaseOptions } from '../../src/options.js';
import type { EmbedderTable } from './vector-base.js';

/** How a start and its lookups ended: in their own process, so that a crash or an endless loop is seen as well. */
export type Verdict =
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'served'; readonly answers: readonly unknown[] }
  | { readonly kind: 'threw'; readonly error: string }
  | { readonly kind: 'died' | 'hung'; readonly how: string };

const verdict: v.GenericSchema<unknown, Verdict> = v.variant('kind', [
  v.object({ kind: v.literal('refused'), code: v.string() }),
  v.object({ kind: v.literal('served'), answers: v.array(v.unknown()) }),
  v.object({ kind: v.literal('threw'), error: v.string() }),
]);

/** Longer than any start of a small index takes on a busy machine. */
const patienceMs = 10_000;

/** A child process that starts bases and asks them, one case after the other; a new one takes over when it dies. */
export class Judge {
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  /** `environment` is added to this process's. */
  constructor(environment: NodeJS.ProcessEnv = {}) {
    this.#environment = environment;
  }

  /** With `embedder`, the base has one. */
  async judge(
    options: KnowledgeBaseOptions,
    queries: readonly string[],
    embedder?: EmbedderTable,
  ): Promise<Verdict> {
    const child = (this.#child ??= fork(new URL('children/judge.mjs', import.meta.url), {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, ...this.#environment },
    }));
    let complaint = '';
    const hear = (text: unknown): void => void (complaint += String(text));
    child.stderr?.on('data', hear);
    const stop = new AbortController();
    const { signal } = stop;
    const answer = once(child, 'message', { signal }).then(([message]: unknown[]): Verdict =>
      v.parse(verdict, message),
    );
    const death = once(child, 'close', { signal }).then(([code, killer]: unknown[]): Verdict => ({
      kind: 'died',
      how: `exit ${String(code)}, signal ${String(killer)}: ${complaint.slice(0, 400)}`,
    }));
    const patience = new Promise<Verdict>((resolve) => {
      const timer = setTimeout(
        () => resolve({ kind: 'hung', how: `no answer in ${patienceMs} ms` }),
        patienceMs,
      );
      signal.addEventListener('abort', () => clearTimeout(timer));
    });
    child.send({ options, queries, embedder });
    const result = await Promise.race([answer, death, patience]);
    stop.abort();
    await Promise.allSettled([answer, death]);
    child.stderr?.off('data', hear);
    if (result.kind === 'died' || result.kind === 'hung') this.close();
    return result;
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
