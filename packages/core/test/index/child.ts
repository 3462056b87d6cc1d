import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import * as v from 'valibot';

/** What a child says. */
export type Message =
  | { readonly kind: 'write' | 'held' | 'reading' }
  | {
      readonly kind: 'baked';
      readonly generation: string;
      readonly written: boolean;
      readonly embedding?: Readonly<Record<string, number>> | undefined;
    }
  | { readonly kind: 'published'; readonly ends: readonly PublishEnd[] }
  | { readonly kind: 'read'; readonly turns: number; readonly seen: readonly string[] }
  | {
      readonly kind: 'looked';
      readonly answers: readonly unknown[];
      /** How many later answers were not the first ones. */
      readonly different: number;
      /** Path and inode of every file that was mapped once the base had started. */
      readonly mapped: readonly string[];
    }
  | { readonly kind: 'failed'; readonly code: string };

/** How publishing into one folder ended, and the call that the mishap hit; '' where it hit none. */
export interface PublishEnd {
  readonly how: string;
  readonly call: string;
}

const message: v.GenericSchema<unknown, Message> = v.variant('kind', [
  v.object({ kind: v.picklist(['write', 'held', 'reading']) }),
  v.object({
    kind: v.literal('baked'),
    generation: v.string(),
    written: v.boolean(),
    embedding: v.optional(v.record(v.string(), v.number())),
  }),
  v.object({
    kind: v.literal('published'),
    ends: v.array(v.object({ how: v.string(), call: v.string() })),
  }),
  v.object({ kind: v.literal('read'), turns: v.number(), seen: v.array(v.string()) }),
  v.object({
    kind: v.literal('looked'),
    answers: v.array(v.unknown()),
    different: v.number(),
    mapped: v.array(v.string()),
  }),
  v.object({ kind: v.literal('failed'), code: v.string() }),
]);

/** How a child ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last thing it said. */
  readonly said: Message | undefined;
}

export interface ChildOptions {
  readonly uid?: number;
  readonly gid?: number;
  /** Runs node; omitted: the node of this process. */
  readonly execPath?: string;
  readonly execArgv?: string[];
  /** Added to the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** One run of a script in `children/`, from the built package. */
export class Child {
  readonly ended: Promise<Ending>;
  readonly #process: ChildProcess;
  readonly #heard: Message[] = [];

  constructor(
    script: 'bake' | 'bake-vectors' | 'look' | 'publish' | 'read',
    argument: unknown,
    options: ChildOptions = {},
  ) {
    const child = fork(
      new URL(`children/${script}.mjs`, import.meta.url),
      [JSON.stringify(argument)],
      {
        ...options,
        stdio: 'inherit',
        env: { ...process.env, NODE_NO_WARNINGS: '1', ...options.env },
      },
    );
    child.on('message', (given: unknown) => this.#heard.push(v.parse(message, given)));
    this.#process = child;
    this.ended = once(child, 'close').then(() => ({
      code: child.exitCode,
      signal: child.signalCode,
      said: this.#heard.at(-1),
    }));
  }

  /** Resolves when the child says `kind`, or ends. */
  async says(kind: Message['kind']): Promise<void> {
    const ended = this.ended.then(() => true);
    while (!this.#heard.some((heard) => heard.kind === kind)) {
      if ((await Promise.race([once(this.#process, 'message'), ended])) === true) return;
    }
  }

  get id(): number {
    return this.#process.pid ?? 0;
  }

  tell(text: string): void {
    this.#process.send(text);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }
}
