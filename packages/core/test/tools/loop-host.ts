import type { HostCall, HostDriver, HostReply, HostRequest, HostSetup } from '../../src/testing.js';
import {
  type JsonValue,
  type Session,
  type TaskPlan,
  type ToolOutcome,
  type ToolRegistry,
  announceLine,
} from '../../src/tools.js';

type Call = NonNullable<HostReply['calls']>[number];

/** The smallest host there can be: a model loop over core's registry and plan, without a wire. */
export class LoopHost implements HostDriver {
  async start(setup: HostSetup): Promise<HostCall> {
    return new LoopCall(setup);
  }
}

class LoopCall implements HostCall {
  readonly requests: HostRequest[] = [];
  readonly spoken: string[] = [];
  ended: { readonly handoff?: JsonValue | undefined } | undefined;
  readonly #model: HostSetup['model'];
  readonly #tools: ToolRegistry<Session> | undefined;
  readonly #plan: TaskPlan<Session> | undefined;
  readonly #history: Session['history'][number][] = [];
  readonly #hungUp = new AbortController();
  #task: string;

  constructor({ agent, model }: HostSetup) {
    this.#model = model;
    this.#tools = 'tools' in agent ? agent.tools : undefined;
    this.#plan = 'plan' in agent ? agent.plan : undefined;
    this.#task = this.#plan?.start ?? '';
  }

  async say(text: string): Promise<void> {
    this.#history.push({ role: 'user', text });
    const results: string[] = [];
    for (let round = 0; round < 6 && !this.ended; round += 1) {
      const reply = this.#ask(results);
      if (reply.text !== undefined) this.#speak(reply.text);
      if (!reply.calls || reply.calls.length === 0) return;
      const registry = this.#registry();
      const session = this.#session();
      const outcomes = await Promise.all(
        reply.calls.map((call) => this.#run(registry, call, session)),
      );
      results.push(...outcomes.map(({ value }) => JSON.stringify(value)));
      for (const outcome of outcomes) this.#follow(outcome);
    }
  }

  async close(): Promise<void> {
    this.#hungUp.abort();
  }

  #ask(results: readonly string[]): HostReply {
    const instructions = this.#plan?.instructions(this.#task, this.#session());
    const request = { tools: this.#registry().names, results: [...results], instructions };
    this.requests.push(request);
    return this.#model(request);
  }

  async #run(registry: ToolRegistry<Session>, call: Call, session: Session): Promise<ToolOutcome> {
    const spec = registry.get(call.name);
    const announce = spec?.announce;
    const say = (): void => this.#speak(announceLine({ announce }, { session }) ?? '');
    const timer = announce && setTimeout(say, announce.afterMs);
    const outcome = await registry.run(call.name, call.arguments, {
      session,
      signal: this.#hungUp.signal,
    });
    clearTimeout(timer);
    return outcome;
  }

  #follow(outcome: ToolOutcome): void {
    if (outcome.kind === 'next') this.#task = outcome.task;
    if (outcome.kind === 'end') this.ended = { handoff: outcome.handoff };
  }

  #registry(): ToolRegistry<Session> {
    const registry = this.#plan?.registry(this.#task) ?? this.#tools;
    if (!registry) throw new Error('a call has tools or a plan');
    return registry;
  }

  #session(): Session {
    const task = this.#plan ? this.#task : undefined;
    return { id: 'call-1', task, state: undefined, history: [...this.#history] };
  }

  #speak(text: string): void {
    this.spoken.push(text);
    this.#history.push({ role: 'assistant', text });
  }
}
