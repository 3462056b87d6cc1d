import { assertToolName, invalidTool } from './invalid-tool.js';
import { runTool } from './run-tool.js';
import { toolFailure } from './tool-failure.js';
import type { ToolOutcome } from './tool-outcome.js';
import type { ToolContext, ToolSpec } from './tool.js';

/** Tools by their names: what a model may call, and the one way to run it. */
export class ToolRegistry<S = unknown> {
  readonly #tools: ReadonlyMap<string, ToolSpec<unknown, S>>;

  readonly #tasks: readonly string[] | undefined;

  /**
   * A name that is wrong or there twice throws `options-invalid`. `tasks` are the tasks a tool may go to with `next()`;
   * default: any.
   */
  constructor(tools: Iterable<ToolSpec<unknown, S>>, tasks?: readonly string[]) {
    const byName = new Map<string, ToolSpec<unknown, S>>();
    for (const spec of tools) {
      assertToolName(spec.name);
      if (byName.has(spec.name))
        throw invalidTool(`Tool '${spec.name}'`, 'name', 'a name no other tool has');
      byName.set(spec.name, spec);
    }
    this.#tools = byName;
    this.#tasks = tasks;
  }

  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** In the order they were given. */
  list(): readonly ToolSpec<unknown, S>[] {
    return [...this.#tools.values()];
  }

  get(name: string): ToolSpec<unknown, S> | undefined {
    return this.#tools.get(name);
  }

  /** A registry of these tools alone. A name that is not here throws `options-invalid`. */
  only(...names: readonly string[]): ToolRegistry<S> {
    const tools = [...new Set(names)].map((name) => {
      const spec = this.#tools.get(name);
      if (!spec) throw invalidTool(`Tool '${name}'`, 'name', `one of ${this.names.join(', ')}`);
      return spec;
    });
    return new ToolRegistry(tools, this.#tasks);
  }

  /** `runTool` by name: never rejects. A tool that is not here is the error `unknown-tool`. */
  async run(name: string, args: unknown, context: ToolContext<S> = {}): Promise<ToolOutcome> {
    const spec = this.#tools.get(name);
    if (!spec) return toolFailure('unknown-tool');
    const outcome = await runTool(spec, args, context);
    if (outcome.kind !== 'next' || (this.#tasks?.includes(outcome.task) ?? true)) return outcome;
    const cause = new RangeError(`Tool '${name}' went to a task that is not in the plan.`);
    return toolFailure('failed', { cause });
  }
}
