import { describe, expect, it } from 'vitest';

import { ToolError } from '../tools/tool-error.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { type ToolSpec, tool } from '../tools/tool.js';
import type { HostCall, HostCapabilities, HostDriver } from './host-driver.js';
import { calling, closingLine, errorOf, oneTurn, resultsOf } from './host-fixture.js';

const secret = 'secret-of-the-provider';

/** The part of `describeHost` in which things go wrong: the model always reads an error, and the turn always ends. */
export function describeHostFailures(
  driver: HostDriver,
  { speaks = true }: HostCapabilities,
): void {
  describe('failing tools', () => {
    it('tells the model that a tool threw, and nothing of what it threw', async () => {
      const call = await calls(() => {
        throw new Error(secret);
      });
      expect(errorOf(resultsOf(call)[0])).not.toContain(secret);
      ends(call);
    });

    it('passes the message of a ToolError on', async () => {
      const call = await calls(() => {
        throw new ToolError('There is no such booking.');
      });
      expect(errorOf(resultsOf(call)[0])).toContain('There is no such booking.');
      ends(call);
    });

    it('does not wait for a tool that hangs', async () => {
      const call = await calls(() => new Promise(() => undefined));
      expect(errorOf(resultsOf(call)[0])).toMatch(/\S/);
      ends(call);
    });

    it.each([
      ['a wrong type', { booking: 7 }],
      ['a key missing', {}],
      ['no object', '["AB12"]'],
      ['no JSON', 'booking AB12'],
    ])('does not run a tool on arguments that do not fit: %s', async (_, sent) => {
      const runs: unknown[] = [];
      const call = await calls((args) => runs.push(args), sent);
      errorOf(resultsOf(call)[0]);
      expect(runs).toEqual([]);
      ends(call);
    });

    it('tells the model that a tool does not exist', async () => {
      const runs: unknown[] = [];
      const call = await calls((args) => runs.push(args), { booking: 'AB12' }, 'cancel');
      errorOf(resultsOf(call)[0]);
      expect(runs).toEqual([]);
      ends(call);
    });
  });

  const calls = (
    run: (args: unknown) => unknown,
    sent: string | object = { booking: 'AB12' },
    name = 'find_booking',
  ): Promise<HostCall> =>
    oneTurn(driver, {
      agent: { tools: new ToolRegistry([bookingTool(run)]) },
      model: calling({ name, arguments: sent }),
    });

  const ends = (call: HostCall): void => {
    expect(speaks ? call.spoken.join(' ') : closingLine).toContain(closingLine);
    expect(JSON.stringify([call.requests, call.spoken])).not.toContain(secret);
  };
}

function bookingTool(run: (args: unknown) => unknown): ToolSpec<{ readonly booking: string }> {
  return tool<{ readonly booking: string }>({
    name: 'find_booking',
    description: 'Finds a booking by its code.',
    parameters: {
      type: 'object',
      properties: { booking: { type: 'string' } },
      required: ['booking'],
    },
    timeoutMs: 300,
    run,
  });
}
