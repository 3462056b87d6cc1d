import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { KnowledgeError, type Session, runTool, tool } from '../../src/tools.js';

const options = {
  name: 'find_booking',
  description: 'Finds a booking.',
  parameters: z.object({ booking: z.string() }),
  run: ({ booking }: { booking: string }) => booking,
};

/** The error of a call that must fail. */
function failure(run: () => unknown): KnowledgeError {
  try {
    run();
  } catch (error) {
    if (error instanceof KnowledgeError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('tool()', () => {
  it('makes a spec with its defaults', () => {
    expect(tool(options)).toMatchObject({
      name: 'find_booking',
      description: 'Finds a booking.',
      timeoutMs: 5_000,
      readOnly: false,
      parameters: { type: 'object', required: ['booking'], additionalProperties: false },
    });
    expect(tool(options)).not.toHaveProperty('announce');
    expect(tool({ ...options, announce: 'One moment.' }).announce).toEqual({
      say: 'One moment.',
      afterMs: 400,
    });
  });

  it('runs with what a schema makes of the arguments', async () => {
    const parameters = z.object({ nights: z.string().transform(Number), room: z.string().trim() });
    const spec = tool({ ...options, parameters, run: ({ nights, room }) => ({ nights, room }) });
    expect(await runTool(spec, { nights: '3', room: ' blue ' })).toMatchObject({
      value: { nights: 3, room: 'blue' },
    });
  });

  it('takes a JSON Schema, with what it says of arguments in full', async () => {
    const parameters = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { booking: { type: 'string', minLength: 4 } },
      required: ['booking'],
    };
    const spec = tool<{ booking: string }>({ ...options, parameters });
    expect(spec.parameters).toEqual({
      type: 'object',
      properties: { booking: { type: 'string' } },
      required: ['booking'],
      additionalProperties: false,
    });
    expect(await runTool(spec, { booking: 'AB12' })).toMatchObject({ value: { result: 'AB12' } });
    expect(await runTool(spec, { booking: 'AB' })).toMatchObject({ reason: 'bad-arguments' });
  });

  it('takes any schema library that keeps to the standard', async () => {
    const parameters = {
      '~standard': {
        version: 1 as const,
        vendor: 'ours',
        validate: async (value: unknown) => ({ value: { seen: value } }),
        jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
      },
    };
    const spec = tool({ ...options, parameters, run: (args: unknown) => args });
    expect(await runTool(spec, { a: 1 })).toMatchObject({ value: { seen: { a: 1 } } });
  });

  it('gives its run the session, and keeps its own `this`', async () => {
    const session: Session<{ guest: string }> = { id: 'c1', state: { guest: 'A' }, history: [] };
    const desk = {
      ...options,
      greeting: 'Hello',
      run(this: { greeting: string }, _: object, context: { session: typeof session }) {
        return `${this.greeting} ${context.session.state.guest}`;
      },
    };
    expect(await runTool(tool(desk), { booking: 'AB12' }, { session })).toMatchObject({
      value: { result: 'Hello A' },
    });
  });

  it.each([
    ['name', { name: 'find booking' }],
    ['name', { name: '' }],
    ['name', { name: 'a'.repeat(65) }],
    ['description', { description: ' ' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: 60_001 }],
    ['timeoutMs', { timeoutMs: 1.5 }],
    ['announce', { announce: '' }],
    ['announce', { announce: { say: [] } }],
    ['announce', { announce: { say: ['Wait.', ' '] } }],
    ['announce', { announce: { say: 'Wait.', afterMs: -1 } }],
  ])('refuses a wrong %s', (field, wrong) => {
    const error = failure(() => tool({ ...options, ...wrong }));
    expect(error).toMatchObject({ code: 'options-invalid', field });
    expect(error.message).toContain(`Tool '`);
  });
});
