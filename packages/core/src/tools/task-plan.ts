import { invalidTool } from './invalid-tool.js';
import { ToolRegistry } from './tool-registry.js';
import type { ToolSpec } from './tool.js';
import { next } from './transition.js';

/** One step of a call. */
export interface Task<S = unknown> {
  /** When the call should come here, in a sentence; the model reads it in the tasks before. */
  readonly when: string;
  /** What the model is told while the call is here. */
  readonly instructions: string | ((session: S) => string);
  /** Names of the tools it may use, beside the shared ones. Default: none. */
  readonly tools?: readonly string[] | undefined;
  /** Names of the tasks it may go to. Default: none. */
  readonly next?: readonly string[] | undefined;
}

/** Options of a {@link TaskPlan}. */
export interface TaskPlanOptions<S = unknown> {
  /** Every tool that a task names. */
  readonly tools: Iterable<ToolSpec<unknown, S>>;
  /** Name of the task a call begins in. */
  readonly start: string;
  /** Names of the tools that every task may use. Default: none. */
  readonly shared?: readonly string[] | undefined;
  /** By name: `^[a-z0-9_]{1,40}$`. */
  readonly tasks: Readonly<Record<string, Task<S>>>;
}

const subject = 'Task plan';

/**
 * The steps of a call as data: each with its own instructions and its own tools. Names are checked when it is made: a
 * tool or a task that is not there, a task that no other leads to, a tool named like a generated one throw
 * `options-invalid`.
 */
export class TaskPlan<S = unknown> {
  /** Name of the task a call begins in. */
  readonly start: string;
  readonly #tasks: ReadonlyMap<string, Task<S>>;
  readonly #registries: ReadonlyMap<string, ToolRegistry<S>>;

  constructor({ tools, start, shared = [], tasks }: TaskPlanOptions<S>) {
    this.start = start;
    this.#tasks = new Map(Object.entries(tasks));
    this.#checkTasks();
    const all = new ToolRegistry(tools);
    const clash = this.names.map(goTo).find((name) => all.get(name));
    if (clash !== undefined)
      throw invalidTool(subject, 'tools', `names other than '${clash}', which is generated`);
    checkNames('shared', shared, all.names);
    const registries = [...this.#tasks].map(([name, task]): [string, ToolRegistry<S>] => {
      checkNames(`tasks.${name}.tools`, task.tools ?? [], all.names);
      const own = all.only(...(task.tools ?? []), ...shared).list();
      const ways = [...new Set(task.next)].map((to) => goToTool(to, tasks[to]?.when ?? ''));
      return [name, new ToolRegistry([...own, ...ways], this.names)];
    });
    this.#registries = new Map(registries);
  }

  /** Names of the tasks, in the order they were given. */
  get names(): readonly string[] {
    return [...this.#tasks.keys()];
  }

  /** A task by its name; a name that is not in the plan throws `options-invalid`. */
  task(name: string): Task<S> {
    return this.#found(this.#tasks, name);
  }

  /** What a model may call in a task: its own tools, the shared ones, and `go_to_<task>` for each of its `next`. */
  registry(name: string): ToolRegistry<S> {
    return this.#found(this.#registries, name);
  }

  /** What the model is told in a task. Throws what the author's function throws. */
  instructions(name: string, session: S): string {
    const { instructions } = this.task(name);
    return typeof instructions === 'function' ? instructions(session) : instructions;
  }

  #found<T>(named: ReadonlyMap<string, T>, name: string): T {
    const found = named.get(name);
    if (found === undefined) throw invalidTool(subject, 'task', `one of ${this.names.join(', ')}`);
    return found;
  }

  #checkTasks(): void {
    for (const [name, task] of this.#tasks) {
      if (!/^[a-z0-9_]{1,40}$/.test(name))
        throw invalidTool(subject, `tasks.${name}`, 'a name of 1 to 40 of a-z, 0-9 and _');
      if (typeof task.when !== 'string' || task.when.trim() === '')
        throw invalidTool(subject, `tasks.${name}.when`, 'a sentence for the model');
      if (!['string', 'function'].includes(typeof task.instructions))
        throw invalidTool(subject, `tasks.${name}.instructions`, 'a string or a function');
      checkNames(`tasks.${name}.next`, task.next ?? [], this.names);
    }
    checkNames('start', [this.start], this.names);
    const lost = this.names.find((name) => !this.#reached().has(name));
    if (lost !== undefined)
      throw invalidTool(subject, `tasks.${lost}`, 'a task that start or the next of another names');
  }

  #reached(): ReadonlySet<string> {
    const reached = new Set([this.start]);
    // A set gives what is added while it is walked, too.
    for (const name of reached) for (const to of this.#tasks.get(name)?.next ?? []) reached.add(to);
    return reached;
  }
}

function checkNames(field: string, names: readonly string[], known: readonly string[]): void {
  if (names.every((name) => known.includes(name))) return;
  throw invalidTool(subject, field, known.length === 0 ? 'none' : `of ${known.join(', ')}`);
}

function goTo(task: string): string {
  return `go_to_${task}`;
}

function goToTool(task: string, when: string): ToolSpec {
  return {
    name: goTo(task),
    description: `Goes on with the task '${task}'. When: ${when}`,
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    timeoutMs: 5_000,
    readOnly: true,
    parse: () => ({ args: {} }),
    run: () => next(task),
  };
}
