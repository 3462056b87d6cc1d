import { describe, expect, it } from 'vitest';

import type { Session } from '../tools/session.js';
import { TaskPlan } from '../tools/task-plan.js';
import { type ToolSpec, tool } from '../tools/tool.js';
import { end, next } from '../tools/transition.js';
import type {
  HostCall,
  HostCapabilities,
  HostDriver,
  HostReply,
  HostRequest,
} from './host-driver.js';
import { calling, closingLine, errorOf, oneTurn, resultsOf } from './host-fixture.js';

const greetTools = ['check_in', 'go_to_booking', 'hang_up'];
const bookingTools = ['book', 'go_to_greet', 'hang_up'];

/** The part of `describeHost` about the steps of a call. */
export function describeHostTasks(
  driver: HostDriver,
  { speaks = true, ends = true, sessions = true }: HostCapabilities,
): void {
  describe('tasks', () => {
    it('offers the tools of the task a call is in, the shared ones, and the ways out', async () => {
      const { call } = await turn(calling());
      expect(call.requests[0]?.tools.toSorted()).toEqual(greetTools);
    });

    it('does not run the tool of another task', async () => {
      const { call, runs } = await turn(calling({ name: 'book', arguments: {} }));
      errorOf(resultsOf(call)[0]);
      expect(runs).toEqual([]);
    });

    it.each(['go_to_booking', 'check_in'])(
      'goes on in the next task, in the same turn: %s',
      async (name) => {
        const { call, runs } = await turn(until('book', { name, arguments: {} }));
        expect(call.requests.at(-1)?.tools.toSorted()).toEqual(bookingTools);
        expect(call.requests.at(-1)?.instructions ?? 'Take the booking.').toContain(
          'Take the booking.',
        );
        expect(speaks ? call.spoken.join(' ') : closingLine).toContain(closingLine);
        expect(runs).toEqual(name === 'check_in' ? [['check_in', 'greet']] : []);
      },
    );

    it('stays in the task it went to', async () => {
      const { call } = await turn(until('book', { name: 'go_to_booking', arguments: {} }));
      await call.say('Two nights, please.');
      expect(call.requests.at(-1)?.tools.toSorted()).toEqual(bookingTools);
    });

    it.runIf(ends)('ends the call when a tool does, with what it hands over', async () => {
      const { call } = await turn(calling({ name: 'hang_up', arguments: {} }));
      expect(call.ended).toEqual({ handoff: { department: 'sales' } });
    });
  });

  const turn = async (
    model: (request: HostRequest) => HostReply,
  ): Promise<{ readonly call: HostCall; readonly runs: readonly unknown[] }> => {
    const runs: unknown[] = [];
    const plan = hotelPlan((name, task) => runs.push(sessions ? [name, task] : [name, 'greet']));
    return { call: await oneTurn(driver, { agent: { plan }, model }), runs };
  };
}

/** A model that makes a call until it is offered `wanted`, then closes. */
function until(
  wanted: string,
  call: { readonly name: string; readonly arguments: object },
): (request: HostRequest) => HostReply {
  let asked = 0;
  return ({ tools }) => {
    asked += 1;
    return tools.includes(wanted) || asked > 3 ? { text: closingLine } : { calls: [call] };
  };
}

function hotelPlan(ran: (name: string, task: string | undefined) => void): TaskPlan<Session> {
  const make = (name: string, result: () => unknown): ToolSpec<object, Session> =>
    tool<object, Session>({
      name,
      description: `Does what ${name} says.`,
      parameters: { type: 'object', properties: {} },
      run: (_, { session }) => {
        ran(name, session?.task);
        return result();
      },
    });
  return new TaskPlan<Session>({
    tools: [
      make('check_in', () => next('booking', { guest: 'known' })),
      make('book', () => 'booked'),
      make('hang_up', () => end({ department: 'sales' })),
    ],
    start: 'greet',
    shared: ['hang_up'],
    tasks: {
      greet: {
        when: 'The call has just begun.',
        instructions: 'Greet the caller.',
        tools: ['check_in'],
        next: ['booking'],
      },
      booking: {
        when: 'The caller wants a room.',
        instructions: () => 'Take the booking.',
        tools: ['book'],
        next: ['greet'],
      },
    },
  });
}
