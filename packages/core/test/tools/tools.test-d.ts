import { expectTypeOf } from 'vitest';
import { z } from 'zod';

import { KnowledgeBase } from '../../src/index.js';
import {
  type JsonObject,
  type RunContext,
  type Session,
  TaskPlan,
  type ToolOutcome,
  ToolRegistry,
  type ToolSpec,
  next,
  runTool,
  tool,
} from '../../src/tools.js';

interface Desk {
  guest: string;
}

const parameters = z.object({ booking: z.string(), nights: z.coerce.number().optional() });
const base = { name: 'find', description: 'Finds.' };

const find = tool({
  ...base,
  parameters,
  run: (args, { signal, session }) => {
    expectTypeOf(args).toEqualTypeOf<{ booking: string; nights?: number | undefined }>();
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    expectTypeOf(session).toEqualTypeOf<unknown>();
    return { room: 12 };
  },
});
expectTypeOf(find).toExtend<ToolSpec<{ booking: string }, unknown, { room: number }>>();

const withSession = tool({
  ...base,
  parameters,
  run: async ({ booking }, { session }: RunContext<Session<Desk>>) => {
    expectTypeOf(session.state).toEqualTypeOf<Desk>();
    return next('booking', { booking, guest: session.state.guest });
  },
});
expectTypeOf(withSession).toExtend<ToolSpec<{ booking: string }, Session<Desk>>>();

const fromJsonSchema = tool<{ booking: string }, Session<Desk>>({
  ...base,
  parameters: { type: 'object', properties: { booking: { type: 'string' } } },
  announce: { say: ({ session }) => `One moment, ${session?.state.guest ?? 'please'}.` },
  run: ({ booking }, { session }) => `${booking.toUpperCase()} ${session.state.guest}`,
});
expectTypeOf(fromJsonSchema).toExtend<ToolSpec<{ booking: string }, Session<Desk>>>();

tool<{ booking: string }>({ ...base, parameters, run: ({ booking }) => booking });
// @ts-expect-error the schema has no such property
tool({ ...base, parameters, run: ({ room }) => room });
// @ts-expect-error a tool has a description
tool({ name: 'find', parameters, run: () => 1 });

const hotel = new KnowledgeBase({ name: 'hotel', documents: './documents' });
hotel.tool({ announce: { say: ['One moment.', 'Let me look.'], afterMs: 300 } });
const registry = new ToolRegistry<Session<Desk>>([hotel.tool(), find, withSession, fromJsonSchema]);
expectTypeOf(registry.run('find', '{}')).resolves.toEqualTypeOf<ToolOutcome>();

const session: Session<Desk> = { id: 'c1', state: { guest: 'Ada' }, history: [] };
void registry.run('find', {}, { session });
void runTool(withSession, {}, { session });
// @ts-expect-error the session of another agent
void registry.run('find', {}, { session: { id: 'c1', state: 7, history: [] } });

void new TaskPlan<Session<Desk>>({
  tools: registry.list(),
  start: 'greet',
  tasks: { greet: { when: 'First.', instructions: ({ state }) => `Greet ${state.guest}.` } },
});

declare const outcome: ToolOutcome;
expectTypeOf(outcome.value).toEqualTypeOf<JsonObject>();
if (outcome.kind === 'next') expectTypeOf(outcome.task).toEqualTypeOf<string>();
// @ts-expect-error only a way to another task has one
void outcome.task;
