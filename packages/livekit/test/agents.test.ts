import { setTimeout as wait } from 'node:timers/promises';

import { end, next, type Session, TaskPlan, tool, type ToolSpec } from '@cuecard/core/tools';
import type { ChatModel } from '@cuecard/testing';
import { voice } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { liveKitAgents } from '../src/index.js';
import { luggageFact, refundFact, startedBase } from './support/bases.js';
import { calls, lastMessage, startCall, toolResults } from './support/call.js';

interface Guest {
  name: string;
}

const booked = tool({
  name: 'book',
  description: 'Books a room.',
  parameters: z.object({}),
  run: async () => end({ to: 'night desk' }, { booking: 'R-17' }),
});

/** Greets, then refunds or luggage; each with a base of its own. */
async function hotelPlan(): Promise<TaskPlan<Session<Guest>>> {
  const refunds = await startedBase('refunds', refundFact);
  const luggage = await startedBase('luggage', luggageFact);
  return new TaskPlan<Session<Guest>>({
    tools: [
      refunds.tool({ name: 'look_up_refunds' }),
      luggage.tool({ name: 'look_up_luggage' }),
      booked,
      tool({
        name: 'find_guest',
        description: 'Finds the guest.',
        parameters: z.object({}),
        run: async () => next('luggage', { room: 17 }),
      }),
    ],
    start: 'greet',
    tasks: {
      greet: {
        when: 'The call begins.',
        instructions: 'Greet.',
        tools: ['find_guest'],
        next: ['refunds', 'luggage'],
      },
      refunds: {
        when: 'It is about money.',
        instructions: ({ state }) => `Help ${state.name} with refunds.`,
        tools: ['look_up_refunds'],
        next: ['luggage'],
      },
      luggage: {
        when: 'It is about a suitcase.',
        instructions: 'Help with luggage.',
        tools: ['look_up_luggage', 'book'],
        next: ['greet'],
      },
    },
  });
}

function waits(name: string, milliseconds: number): ToolSpec {
  return tool({
    name,
    description: 'Waits.',
    parameters: z.object({}),
    run: async () => wait(milliseconds, 'done'),
  });
}

const guest = (): Guest => ({ name: 'Ada' });

describe('liveKitAgents', () => {
  it('offers each request exactly the tools of its task, and lets the next task speak in the same turn', async () => {
    const userData = guest();
    const agents = liveKitAgents(await hotelPlan(), { state: userData });
    const call = await startCall(
      agents,
      [
        calls('go_to_refunds'),
        { text: 'What was the amount?' },
        calls('look_up_refunds', { query: 'how long does a refund take' }),
        { text: 'Five working days.' },
      ],
      { userData },
    );
    userData.name = 'Grace';
    await call.say('I want my money back.');
    expect(call.said).toEqual(['What was the amount?']);
    expect(call.session.currentAgent.id).toBe('refunds');
    await call.say('Fifty. How long does it take?');
    expect(call.said.at(-1)).toBe('Five working days.');
    expect(call.requests().map(({ tools }) => tools.toSorted())).toEqual([
      ['find_guest', 'go_to_luggage', 'go_to_refunds'],
      ['go_to_luggage', 'look_up_refunds'],
      ['go_to_luggage', 'look_up_refunds'],
      ['go_to_luggage', 'look_up_refunds'],
    ]);
    const [system, caller] = call.requests()[1]?.messages ?? [];
    expect(system?.content).toBe('Help Grace with refunds.');
    expect(caller).toMatchObject({ role: 'user', content: 'I want my money back.' });
    expect(call.requests().map(({ body }) => body['parallel_tool_calls'])).toEqual(
      Array.from({ length: 4 }, () => false),
    );
  });

  it('keeps the passages of a task for the tasks after it', async () => {
    const userData = guest();
    const agents = liveKitAgents(await hotelPlan(), { state: userData });
    const call = await startCall(
      agents,
      [
        calls('go_to_refunds'),
        { text: 'Yes?' },
        calls('look_up_refunds', { query: 'refund' }),
        { text: 'Five days.' },
        calls('go_to_luggage'),
        { text: 'And your suitcase?' },
        calls('look_up_luggage', { query: 'broken suitcase' }),
        { text: 'Hall B.' },
        calls('go_to_greet'),
        { text: 'Anything else?' },
        calls('go_to_refunds'),
        { text: 'Back at refunds.' },
      ],
      { userData },
    );
    await call.say('I want my money back.');
    await call.say('How long does a refund take?');
    await call.say('My suitcase is broken too.');
    const atLuggage = call.requests()[5];
    expect(atLuggage?.tools.toSorted()).toEqual(['book', 'go_to_greet', 'look_up_luggage']);
    const notes = atLuggage?.messages.filter(({ content }) => content.includes(refundFact)) ?? [];
    expect(notes).toHaveLength(1);
    expect(notes[0]?.role).toBe('user');
    expect(notes[0]?.content).toMatch(/^Note for the agent, not said by the caller/);
    expect(lastMessage(atLuggage)?.content).toBe('My suitcase is broken too.');

    await call.say('Where do I report it?');
    await call.say('Thank you.');
    await call.say('One more thing about the money.');
    const back = call.requests().at(-1);
    const text = JSON.stringify(back?.messages);
    expect(back?.tools).toContain('look_up_refunds');
    // The passages of its own lookup are still its own; those of the other task are a note.
    expect(text.split(refundFact)).toHaveLength(2);
    expect(text.split(luggageFact)).toHaveLength(2);
    expect(back?.messages.map(({ role }) => role)).not.toContain('developer');
    expect(call.said.at(-1)).toBe('Back at refunds.');
    expect(call.errors).toEqual([]);
  });

  it('moves on when a tool says where, and hands its value to the next task', async () => {
    const userData = guest();
    const agents = liveKitAgents(await hotelPlan(), { state: userData });
    const call = await startCall(
      agents,
      [calls('find_guest'), { text: 'Room 17, your suitcase?' }],
      {
        userData,
      },
    );
    await call.say('Who am I?');
    expect(call.session.currentAgent.id).toBe('luggage');
    expect(call.said).toEqual(['Room 17, your suitcase?']);
    expect(JSON.stringify(call.requests()[1]?.messages)).toContain('{\\"room\\":17}');
  });

  it('shows the value of that tool to the task that made it, too, when the call comes back', async () => {
    const userData = guest();
    const agents = liveKitAgents(await hotelPlan(), { state: userData });
    const call = await startCall(
      agents,
      [
        calls('find_guest'),
        { text: 'Your suitcase?' },
        calls('go_to_greet'),
        { text: 'Anything else?' },
      ],
      { userData },
    );
    await call.say('Who am I?');
    await call.say('No suitcase.');
    expect(call.session.currentAgent.id).toBe('greet');
    const back = call.requests().at(-1);
    expect(toolResults(back)).toEqual([{ room: 17 }]);
    const said = back?.messages.filter(({ role }) => role !== 'tool').map(({ content }) => content);
    expect(said).toEqual(['Greet.', 'Who am I?', '', 'Your suitcase?', 'No suitcase.']);
  });

  it('ends the call after the reply to a tool that ends it', async () => {
    const userData = guest();
    const ended: unknown[] = [];
    const agents = liveKitAgents(await hotelPlan(), {
      state: userData,
      onEnd: (handoff, session) => {
        ended.push(handoff);
        session.shutdown();
      },
    });
    const call = await startCall(
      agents,
      [calls('go_to_luggage'), { text: 'Yes?' }, calls('book'), { text: 'Booked. Goodbye.' }],
      { userData },
    );
    const closed = new Promise((resolve) => {
      call.session.once(voice.AgentSessionEventTypes.Close, resolve);
    });
    await call.say('My suitcase.');
    await call.say('Book a room.');
    await closed;
    expect(ended).toEqual([{ to: 'night desk' }]);
    expect(call.said.at(-1)).toBe('Booked. Goodbye.');
    expect(toolResults(call.requests().at(-1))).toEqual([{ booking: 'R-17' }]);
  });

  it.each([
    ['the hand-off ends first', ['go_to_refunds', 'slow']],
    ['the other tool ends first', ['quick', 'go_to_refunds']],
    ['there are two hand-offs', ['go_to_refunds', 'go_to_luggage']],
  ])('does not lose a hand-off in a batch where %s', async (_, names) => {
    const plan = new TaskPlan({
      tools: [waits('slow', 200), waits('quick', 0)],
      start: 'greet',
      tasks: {
        greet: {
          when: 'First.',
          instructions: 'Greet.',
          tools: ['slow', 'quick'],
          next: ['refunds', 'luggage'],
        },
        refunds: { when: 'Money.', instructions: 'Refunds.', next: ['greet'] },
        luggage: { when: 'Suitcase.', instructions: 'Luggage.', next: ['greet'] },
      },
    });
    const model: ChatModel = ({ messages }) => {
      const system = messages[0]?.content;
      if (system !== 'Greet.') return { text: `Here is ${system}` };
      if (messages.at(-1)?.role === 'tool') return { text: 'One thing first.' };
      return { calls: names.map((name) => ({ name, arguments: {} })) };
    };
    const call = await startCall(liveKitAgents(plan), model);
    await call.say('Money, and something else.');
    expect(call.session.currentAgent.id).toBe('refunds');
    expect(call.said.at(-1)).toBe('Here is Refunds.');
    expect(call.errors).toEqual([]);
  });

  it('makes the agents with a class of yours, whose own greeting is the one that is spoken', async () => {
    class Desk extends voice.Agent {
      override async onEnter(): Promise<void> {
        this.session.say(`Desk of ${this.id}.`);
      }
    }
    const plan = new TaskPlan({
      tools: [],
      start: 'greet',
      tasks: {
        greet: { when: 'First.', instructions: 'Greet.', next: ['refunds'] },
        refunds: { when: 'Money.', instructions: 'Refunds.', next: ['greet'] },
      },
    });
    const agents = liveKitAgents(plan, { create: (_, options) => new Desk(options) });
    const call = await startCall(agents, [calls('go_to_refunds')]);
    await call.say('Money.');
    expect(agents.start).toBeInstanceOf(Desk);
    expect(call.said).toEqual(['Desk of greet.', 'Desk of refunds.']);
    expect(call.requests()).toHaveLength(1);
  });

  it('refuses a tool of another task', async () => {
    const userData = guest();
    const agents = liveKitAgents(await hotelPlan(), { state: userData });
    const call = await startCall(
      agents,
      [calls('look_up_refunds', { query: 'x' }), { text: 'No.' }],
      {
        userData,
      },
    );
    await call.say('How long does a refund take?');
    expect(lastMessage(call.requests()[1])?.content).not.toContain(refundFact);
  });

  it('says what is missing when instructions need a state that was not given', async () => {
    const plan = await hotelPlan();
    expect(() => liveKitAgents(plan)).toThrow("'state' is needed");
  });
});
