import { TaskPlan } from '@cuecard/core/tools';
import { voice } from '@livekit/agents';
import { describe, expect, it, onTestFinished } from 'vitest';

import { liveKitAgents } from '../src/index.js';
import { luggageFact, refundFact, startedBase } from './support/bases.js';
import { calls } from './support/call.js';
import { ScriptedRealtimeModel } from './support/realtime.js';

describe('a realtime model', () => {
  it('looks up, moves between tasks and keeps the passages, without a voice of ours', async () => {
    const refunds = await startedBase('refunds', refundFact);
    const luggage = await startedBase('luggage', luggageFact);
    const plan = new TaskPlan({
      tools: [
        refunds.tool({ name: 'look_up_refunds', announce: 'One moment.' }),
        luggage.tool({ name: 'look_up_luggage', announce: 'One moment.' }),
      ],
      start: 'refunds',
      tasks: {
        refunds: {
          when: 'Money.',
          instructions: 'Refunds.',
          tools: ['look_up_refunds'],
          next: ['luggage'],
        },
        luggage: { when: 'Suitcase.', instructions: 'Luggage.', tools: ['look_up_luggage'] },
      },
    });
    const model = new ScriptedRealtimeModel([
      calls('look_up_refunds', { query: 'refund' }),
      { text: 'Five days.' },
      calls('go_to_luggage'),
      { text: 'Your suitcase?' },
    ]);
    const session = new voice.AgentSession({
      llm: model,
      vad: null,
      turnHandling: { turnDetection: null },
    });
    const agents = liveKitAgents(plan);
    await session.start({ agent: agents.start, record: false });
    onTestFinished(() => session.close());
    await session.run({ userInput: 'How long does a refund take?' }).wait();
    await session.run({ userInput: 'My suitcase is broken.' }).wait();
    await expect.poll(() => model.requests.length, { timeout: 20_000 }).toBe(4);
    expect(model.requests.map(({ tools }) => tools.toSorted())).toEqual([
      ['go_to_luggage', 'look_up_refunds'],
      ['go_to_luggage', 'look_up_refunds'],
      ['go_to_luggage', 'look_up_refunds'],
      ['look_up_luggage'],
    ]);
    expect(JSON.stringify(model.requests[1]?.items)).toContain(refundFact);
    const last = JSON.stringify(model.requests[3]?.items);
    expect(last.split(refundFact)).toHaveLength(2);
    expect(last).toContain('My suitcase is broken.');
    expect(session.currentAgent.id).toBe('luggage');
  });
});
