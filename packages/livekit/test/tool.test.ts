import { next, type Session, tool } from '@cuecard/core/tools';
import { llm, voice } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { liveKitTool, liveKitTools } from '../src/index.js';
import { bakedBase, refundFact, startedBase } from './support/bases.js';
import { calls, startCall, toolResults } from './support/call.js';
import { loggedErrors } from './support/log.js';

describe('liveKitTool', () => {
  it('answers from a baked base inside an existing agent', async () => {
    const base = await startedBase('refunds', refundFact);
    const agent = new voice.Agent({ instructions: 'Help.', tools: [liveKitTool(base.tool())] });
    const call = await startCall(agent, [
      calls('look_up', { query: 'how long does a refund take' }),
      { text: 'Five working days.' },
    ]);
    await call.say('How long does a refund take?');
    const [asked, answered] = call.requests();
    expect(asked?.tools).toEqual(['look_up']);
    expect(toolResults(answered)).toEqual([
      { results: [expect.objectContaining({ text: expect.stringContaining(refundFact) })] },
    ]);
    expect(call.said).toEqual(['Five working days.']);
  });

  it('tells the model that a base which has not started is unavailable', async () => {
    const { base } = await bakedBase('refunds', refundFact);
    const agent = new voice.Agent({ instructions: 'Help.', tools: [liveKitTool(base.tool())] });
    const call = await startCall(agent, [
      calls('look_up', { query: 'refund' }),
      { text: 'Sorry.' },
    ]);
    await call.say('How long does a refund take?');
    expect(toolResults(call.requests()[1])).toEqual([{ error: 'lookup unavailable' }]);
  });

  it('refuses a name that models do not take, and a name twice', () => {
    const spec = {
      name: 'look up',
      description: 'Looks up.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      timeoutMs: 1_000,
      readOnly: true,
      run: () => 'found',
    } as const;
    expect(() => liveKitTool(spec)).toThrow(expect.objectContaining({ code: 'options-invalid' }));
    const named = { ...spec, name: 'look_up' };
    expect(() => liveKitTools([named, named])).toThrow(
      expect.objectContaining({ code: 'options-invalid' }),
    );
  });

  it('runs without a session, announce line or not', async () => {
    const echo = tool({
      name: 'echo',
      description: 'Says it again.',
      parameters: z.object({ text: z.string() }),
      announce: { say: 'One moment.', afterMs: 0 },
      run: async ({ text }) => text,
    });
    const run = async (args: string): Promise<llm.FunctionCallOutput> =>
      llm.executeToolCall(
        llm.FunctionCall.create({ callId: 'call_1', name: 'echo', args }),
        new llm.ToolContext([liveKitTool(echo)]),
      );
    expect(await run('{"text":"hello"}')).toMatchObject({
      output: '{"result":"hello"}',
      isError: false,
    });
    expect(await run('{"text":5}')).toMatchObject({ isError: true });
  });

  it('logs once that next() goes nowhere outside of a plan; the model reads its value', async () => {
    const move = tool({
      name: 'move',
      description: 'Moves on.',
      parameters: z.object({}),
      run: async () => next('refunds', { room: 17 }),
    });
    const logged = loggedErrors();
    const agent = new voice.Agent({ instructions: 'Help.', tools: [liveKitTool(move)] });
    const call = await startCall(agent, [calls('move'), calls('move'), { text: 'Hm.' }]);
    await call.say('Move on.');
    expect(toolResults(call.requests()[2])).toEqual([{ room: 17 }, { room: 17 }]);
    expect(logged.lines).toEqual([
      "Tool 'move' returned next() outside of a plan; the call stays where it is.",
    ]);
  });

  it('gives a tool the call it runs in', async () => {
    interface State {
      visits: number;
    }
    const seen: unknown[] = [];
    const visit = tool({
      name: 'visit',
      description: 'Counts a visit.',
      parameters: z.object({}),
      run: async (_, { session }: { session: Session<State> }) => {
        seen.push({ id: session.id, tenant: session.tenant, history: session.history });
        session.state = { visits: session.state.visits + 1 };
      },
    });
    const options = { session: { id: 'call-7', tenant: 'hotel' } };
    const tools = liveKitTools<State>([visit], options);
    const userData: State = { visits: 1 };
    const agent = new voice.Agent<State>({ instructions: 'Help.', tools });
    const call = await startCall(agent, [calls('visit'), { text: 'Counted.' }], { userData });
    await call.say('I am here.');
    expect(seen).toEqual([
      { id: 'call-7', tenant: 'hotel', history: [{ role: 'user', text: 'I am here.' }] },
    ]);
    expect(call.session.userData).toEqual({ visits: 2 });
    expect(toolResults(call.requests()[1])).toEqual([{ result: 'done' }]);
  });
});
