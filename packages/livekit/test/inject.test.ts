import { setTimeout as wait } from 'node:timers/promises';

import type { LookupEvent } from '@cuecard/core';
import { TaskPlan, tool } from '@cuecard/core/tools';
import { voice } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { injectKnowledge, liveKitAgents, liveKitTool, prefetchKnowledge } from '../src/index.js';
import { bakedBase, flatEmbedder, luggageFact, refundFact, startedBase } from './support/bases.js';
import { calls, isCaller, lastMessage, startCall } from './support/call.js';

const hold = tool({
  name: 'hold',
  description: 'Holds the line.',
  parameters: z.object({}),
  run: () => 'held',
});
const helper = (): voice.Agent =>
  new voice.Agent({ instructions: 'Help.', tools: [liveKitTool(hold)] });

describe('injectKnowledge', () => {
  it('lets the model read the passages with the first request, as data before the words they were found for', async () => {
    const agent = injectKnowledge(helper(), await startedBase('refunds', refundFact));
    const call = await startCall(agent, [{ text: 'Five working days.' }]);
    await call.say('How long does a refund take?');
    const [request] = call.requests();
    expect(call.requests()).toHaveLength(1);
    expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    const [, note, words] = request?.messages ?? [];
    expect(note?.content).toMatch(/^Note for the agent, not said by the caller/);
    expect(JSON.parse(note?.content.split('\n')[1] ?? '')).toEqual({
      results: [expect.objectContaining({ text: expect.stringContaining(refundFact) })],
    });
    expect(words?.content).toBe('How long does a refund take?');
    expect(call.said).toEqual(['Five working days.']);
  });

  it('replaces them with each turn, and never puts them into the history', async () => {
    const bases = [
      await startedBase('refunds', refundFact),
      await startedBase('luggage', luggageFact),
    ];
    const agent = injectKnowledge(helper(), ...bases);
    const call = await startCall(agent, [{ text: 'Five days.' }, { text: 'Hall B.' }]);
    await call.say('How long does a refund take?');
    await call.say('Where do I report a broken suitcase?');
    expect(call.said).toEqual(['Five days.', 'Hall B.']);
    const second = JSON.stringify(call.requests()[1]?.messages);
    expect(second).toContain(luggageFact);
    expect(second).not.toContain(refundFact);
    expect(JSON.stringify(call.session.history.toJSON())).not.toContain('Note for the agent');
    expect(JSON.stringify(agent.chatCtx.toJSON())).not.toContain('Note for the agent');
  });

  it('adds nothing when nothing was found, or when the base cannot be searched', async () => {
    const { base: idle } = await bakedBase('luggage', luggageFact);
    const agent = injectKnowledge(helper(), await startedBase('refunds', refundFact), idle);
    const call = await startCall(agent, [{ text: 'No idea.' }]);
    await call.say('Zeppelin.');
    expect(call.requests()[0]?.messages).toHaveLength(2);
    expect(call.said).toEqual(['No idea.']);
  });

  it('looks up once a turn, however many requests the turn takes', async () => {
    const lookups: LookupEvent[] = [];
    const { base } = await bakedBase('refunds', refundFact, {
      onLookup: (event) => lookups.push(event),
    });
    await base.start();
    const tools = [liveKitTool((await startedBase('luggage', luggageFact)).tool())];
    const agent = injectKnowledge(new voice.Agent({ instructions: 'Help.', tools }), base);
    const call = await startCall(agent, [
      calls('look_up', { query: 'suitcase' }),
      { text: 'Both answered.' },
    ]);
    await call.say('A refund, and my suitcase.');
    expect(call.said).toEqual(['Both answered.']);
    expect(lookups).toHaveLength(1);
    const [first, second] = call.requests();
    expect(JSON.stringify(first?.messages)).toContain(refundFact);
    expect(JSON.stringify(second?.messages)).toContain(refundFact);
    expect(lastMessage(second)?.role).toBe('tool');
    expect(second?.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  it('works for one task of a plan, with the words that led there', async () => {
    const refunds = await startedBase('refunds', refundFact);
    const plan = new TaskPlan({
      tools: [],
      start: 'greet',
      tasks: {
        greet: { when: 'First.', instructions: 'Greet.', next: ['refunds'] },
        refunds: { when: 'Money.', instructions: 'Refunds.', next: ['greet'] },
      },
    });
    const agents = liveKitAgents(plan, {
      create: (task, options) => {
        const agent = new voice.Agent(options);
        return task === 'refunds' ? injectKnowledge(agent, refunds) : agent;
      },
    });
    const call = await startCall(agents, [calls('go_to_refunds'), { text: 'Five days.' }]);
    await call.say('How long does a refund take?');
    const [greeted, helped] = call.requests();
    expect(greeted?.messages).toHaveLength(2);
    expect(JSON.stringify(helped?.messages)).toContain(refundFact);
    expect(helped?.messages.filter(isCaller)).toHaveLength(1);
    expect(call.said).toEqual(['Five days.']);
  });
});

describe('prefetchKnowledge', () => {
  it('searches for interim words, so that the lookup of the same words has its answer ready', async () => {
    const lookups: LookupEvent[] = [];
    const { base } = await bakedBase('refunds', refundFact, {
      mode: 'hybrid',
      embed: () => flatEmbedder(),
      onLookup: (event) => lookups.push(event),
    });
    await base.start();
    const agent = injectKnowledge(helper(), base);
    const call = await startCall(agent, [{ text: 'A.' }, { text: 'B.' }]);
    const stop = prefetchKnowledge(call.session, base);
    const transcribe = async (transcript: string): Promise<void> => {
      const event = voice.createUserInputTranscribedEvent({ transcript, isFinal: false });
      call.session.emit(voice.AgentSessionEventTypes.UserInputTranscribed, event);
      await wait(400);
    };
    await transcribe('how long does a refund take');
    expect(lookups).toEqual([]);
    await call.say('How long does a refund take?');
    stop();
    await transcribe('what does a refund cost');
    await call.say('What does a refund cost?');
    expect(lookups.map(({ prefetched }) => prefetched)).toEqual([true, false]);
  });
});
