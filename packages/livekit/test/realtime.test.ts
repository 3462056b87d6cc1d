import { end, next, type Session, TaskPlan, tool } from '@cuecard/core/tools';
import { voice } from '@livekit/agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { liveKitAgents, liveKitTool } from '../src/index.js';
import { luggageFact, refundFact, startedBase } from './support/bases.js';
import { calls } from './support/call.js';
import { loggedErrors } from './support/log.js';
import { ScriptedRealtimeModel } from './support/realtime.js';

/** Refunds, then luggage; each with a base of its own. */
async function deskPlan(): Promise<TaskPlan<Session>> {
  const refunds = await startedBase('refunds', refundFact);
  const luggage = await startedBase('luggage', luggageFact);
  return new TaskPlan({
    tools: [
      refunds.tool({ name: 'look_up_refunds', announce: 'One moment.' }),
      luggage.tool({ name: 'look_up_luggage', announce: 'One moment.' }),
      tool({
        name: 'find_guest',
        description: 'Finds the guest.',
        parameters: z.object({}),
        run: async () => next('luggage', { room: 17 }),
      }),
    ],
    start: 'refunds',
    tasks: {
      refunds: {
        when: 'Money.',
        instructions: 'Refunds.',
        tools: ['look_up_refunds', 'find_guest'],
        next: ['luggage'],
      },
      luggage: {
        when: 'Suitcase.',
        instructions: 'Luggage.',
        tools: ['look_up_luggage'],
        next: ['refunds'],
      },
    },
  });
}

async function startSession(model: ScriptedRealtimeModel, agent: voice.Agent) {
  const session = new voice.AgentSession({
    llm: model,
    vad: null,
    turnHandling: { turnDetection: null },
  });
  await session.start({ agent, record: false });
  onTestFinished(() => session.close());
  const say = async (userInput: string): Promise<void> => {
    await session.run({ userInput }).wait();
  };
  return { session, say };
}

async function startDesk(model: ScriptedRealtimeModel) {
  const { start } = liveKitAgents(await deskPlan());
  return startSession(model, start);
}

describe('a realtime model', () => {
  it('looks up, moves between tasks and keeps the passages, without a voice of ours', async () => {
    const model = new ScriptedRealtimeModel([
      calls('look_up_refunds', { query: 'refund' }),
      { text: 'Five days.' },
      calls('go_to_luggage'),
      { text: 'Your suitcase?' },
    ]);
    const { session, say } = await startDesk(model);
    await say('How long does a refund take?');
    await say('My suitcase is broken.');
    await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(4);
    const refunds = ['find_guest', 'go_to_luggage', 'look_up_refunds'];
    expect(model.requests.map(({ tools }) => tools.toSorted())).toEqual([
      refunds,
      refunds,
      refunds,
      ['go_to_refunds', 'look_up_luggage'],
    ]);
    expect(JSON.stringify(model.requests[1]?.items)).toContain(refundFact);
    const last = JSON.stringify(model.requests[3]?.items);
    expect(last.split(refundFact)).toHaveLength(2);
    expect(last).toContain('My suitcase is broken.');
    expect(session.currentAgent.id).toBe('luggage');
  });

  it('gives each call its own result, though it uses an id again', async () => {
    const model = new ScriptedRealtimeModel([
      calls('look_up_refunds', { query: 'refund' }),
      { text: 'Five days.' },
      calls('find_guest'),
      { text: 'Your suitcase?' },
      calls('go_to_refunds'),
      { text: 'Money again?' },
    ]);
    const { session, say } = await startDesk(model);
    await say('How long does a refund take?');
    await say('Who am I?');
    await say('Back to the money.');
    await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(6);
    expect(session.currentAgent.id).toBe('refunds');
    const outputs = model.requests[5]?.items.filter((item) => item.type === 'function_call_output');
    expect(outputs?.map(({ name, output }) => ({ name, output }))).toEqual([
      { name: 'look_up_refunds', output: expect.stringContaining(refundFact) },
      { name: 'find_guest', output: '{"room":17}' },
    ]);
  });

  it('speaks in the next task, too, when it refuses the history', async () => {
    const model = new ScriptedRealtimeModel([calls('go_to_luggage'), { text: 'Your suitcase?' }]);
    const { session, say } = await startDesk(model);
    const logged = loggedErrors();
    model.refusesHistory = true;
    await say('My suitcase is broken.');
    await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(2);
    expect(session.currentAgent.id).toBe('luggage');
    expect(logged.lines).toEqual([
      "Task 'luggage' goes on without the history; its model took none.",
    ]);
  });

  it('ends the call after its reply to the tool that ends it', async () => {
    const events: unknown[] = [];
    const leave = tool({
      name: 'leave',
      description: 'Ends the call.',
      parameters: z.object({}),
      run: async () => end({ to: 'night desk' }),
    });
    const onEnd = (handoff: unknown): void => void events.push(handoff);
    const tools = [liveKitTool(leave, { onEnd })];
    const model = new ScriptedRealtimeModel([calls('leave'), { text: 'Goodbye.' }]);
    const { session, say } = await startSession(
      model,
      new voice.Agent({ instructions: 'Help.', tools }),
    );
    session.on(voice.AgentSessionEventTypes.ConversationItemAdded, ({ item }) => {
      if (item.type === 'message' && item.role === 'assistant') events.push(item.textContent);
    });
    await say('That was all.');
    await expect.poll(() => events.length, { timeout: 20_000 }).toBe(2);
    expect(events).toEqual(['Goodbye.', { to: 'night desk' }]);
  });
});
