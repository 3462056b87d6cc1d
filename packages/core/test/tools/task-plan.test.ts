import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import {
  KnowledgeError,
  type Session,
  TaskPlan,
  type TaskPlanOptions,
  type ToolSpec,
  tool,
} from '../../src/tools.js';

interface Guest {
  readonly name: string;
}

function named(name: string): ToolSpec<unknown, Session<Guest>> {
  return tool({ name, description: 'Named.', parameters: z.object({}), run: () => name });
}

const options: TaskPlanOptions<Session<Guest>> = {
  tools: [named('look_up'), named('book'), named('hang_up')],
  start: 'greet',
  shared: ['hang_up'],
  tasks: {
    greet: { when: 'First.', instructions: 'Greet.', next: ['booking', 'refunds'] },
    booking: {
      when: 'The caller wants a room.',
      instructions: ({ state }) => `Book for ${state.name}.`,
      tools: ['book', 'hang_up'],
      next: ['greet'],
    },
    refunds: { when: 'About money.', instructions: 'Refund.', tools: ['look_up'] },
  },
};
const [greet, booking] = [options.tasks['greet'], options.tasks['booking']];
const session: Session<Guest> = { id: 'c1', state: { name: 'Ada' }, history: [] };

function planWith(changes: Partial<TaskPlanOptions<Session<Guest>>>): () => unknown {
  return () => new TaskPlan({ ...options, ...changes });
}

describe('TaskPlan', () => {
  const plan = new TaskPlan(options);

  it('gives each task its own tools, the shared ones, and the ways out of it', () => {
    expect(plan.start).toBe('greet');
    expect(plan.names).toEqual(['greet', 'booking', 'refunds']);
    const offered = plan.names.map((name) => plan.registry(name).names);
    expect(offered).toEqual([
      ['hang_up', 'go_to_booking', 'go_to_refunds'],
      ['book', 'hang_up', 'go_to_greet'],
      ['look_up', 'hang_up'],
    ]);
    expect(plan.registry('greet').get('go_to_booking')?.description).toContain(
      'The caller wants a room.',
    );
  });

  it('goes to the next task, and runs nothing of another', async () => {
    const registry = plan.registry('greet');
    expect(await registry.run('go_to_booking', '')).toEqual({
      kind: 'next',
      task: 'booking',
      value: { result: 'done' },
    });
    expect(await registry.run('book', {})).toMatchObject({ reason: 'unknown-tool' });
    expect(await plan.registry('refunds').run('go_to_greet', {})).toMatchObject({
      reason: 'unknown-tool',
    });
  });

  it('tells what to do in the call at hand', () => {
    expect(plan.instructions('greet', session)).toBe('Greet.');
    expect(plan.instructions('booking', session)).toBe('Book for Ada.');
    expect(plan.task('refunds').when).toBe('About money.');
  });

  it.each([
    ['start', { start: 'hello' }, 'of greet, booking, refunds'],
    ['shared', { shared: ['look_down'] }, 'of look_up, book, hang_up'],
    ['tools', { tools: [...options.tools, named('go_to_greet')] }, "'go_to_greet'"],
    ['tasks.greet.tools', tasks({ greet: { ...task(greet), tools: ['sing'] } }), 'of look_up'],
    ['tasks.greet.next', tasks({ greet: { ...task(greet), next: ['bar'] } }), 'of greet'],
    ['tasks.greet.when', tasks({ greet: { ...task(greet), when: '' } }), 'a sentence'],
    ['tasks.Greet', tasks({ Greet: task(greet) }), 'a-z'],
    ['tasks.bar', tasks({ bar: { ...task(booking), next: [] } }), 'names'],
    ['start', { tasks: {} }, 'none'],
  ])('refuses a wrong %s', (field, changes, allowed) => {
    const make = planWith(changes);
    expect(make).toThrow(KnowledgeError);
    expect(make).toThrow(`Task plan: option '${field}' is not valid`);
    expect(make).toThrow(allowed);
  });

  it('refuses to be asked for a task it does not have', () => {
    for (const ask of [() => plan.task('bar'), () => plan.registry('constructor')])
      expect(ask).toThrow("Task plan: option 'task' is not valid; allowed: one of greet");
  });
});

type Tasks = typeof options.tasks;

function tasks(more: Tasks): { readonly tasks: Tasks } {
  return { tasks: { ...options.tasks, ...more } };
}

function task(given: Tasks[string] | undefined): Tasks[string] {
  if (!given) throw new Error('no such task');
  return given;
}
