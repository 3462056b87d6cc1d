import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { KnowledgeError, ToolRegistry, type ToolSpec, next, tool } from '../../src/tools.js';

function named(name: string, run: () => unknown = () => name): ToolSpec {
  return tool({ name, description: 'Named.', parameters: z.object({}), run });
}

const tools = new ToolRegistry([named('find'), named('book'), named('cancel')]);

describe('ToolRegistry', () => {
  it('keeps tools by their names, in order', () => {
    expect(tools.names).toEqual(['find', 'book', 'cancel']);
    expect(tools.list().map(({ name }) => name)).toEqual(tools.names);
    expect(tools.get('book')?.name).toBe('book');
    expect(tools.get('constructor')).toBeUndefined();
  });

  it('refuses a name twice, and a name that models refuse', () => {
    expect(() => new ToolRegistry([named('find'), named('find')])).toThrow(KnowledgeError);
    const spec = { ...named('find'), name: 'find it' };
    expect(() => new ToolRegistry([spec])).toThrow("Tool 'find it': option 'name'");
  });

  it('scopes to some of its tools, for a model and at execution', async () => {
    const scoped = tools.only('cancel', 'find', 'find');
    expect(scoped.names).toEqual(['cancel', 'find']);
    expect(await scoped.run('find', {})).toEqual({ kind: 'result', value: { result: 'find' } });
    expect(await scoped.run('book', {})).toEqual({
      kind: 'error',
      reason: 'unknown-tool',
      value: { error: 'There is no such tool here.' },
    });
    expect(() => scoped.only('book')).toThrow('one of cancel, find');
  });

  it('runs no tool twice, and passes the check of arguments on', async () => {
    const runs: unknown[] = [];
    const parameters = z.object({ booking: z.string() });
    const find = tool({
      name: 'find',
      description: 'F.',
      parameters,
      run: (args) => runs.push(args),
    });
    const registry = new ToolRegistry([find]);
    expect(await registry.run('find', '{}')).toMatchObject({ reason: 'bad-arguments' });
    await registry.run('find', '{"booking":"AB12"}');
    expect(runs).toEqual([{ booking: 'AB12' }]);
  });

  it('lets no tool go to a task that is not there', async () => {
    const lost = [named('lost', () => next('nowhere')), named('fine', () => next('booking'))];
    const planned = new ToolRegistry(lost, ['booking']);
    expect(await planned.run('fine', {})).toMatchObject({ kind: 'next', task: 'booking' });
    const outcome = await planned.only('lost').run('lost', {});
    expect(outcome).toMatchObject({
      kind: 'error',
      reason: 'failed',
      cause: expect.any(RangeError),
    });
    expect(await new ToolRegistry(lost).run('lost', {})).toMatchObject({ task: 'nowhere' });
  });
});
