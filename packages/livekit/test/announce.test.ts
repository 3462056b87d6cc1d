import { setTimeout as wait } from 'node:timers/promises';

import { tool, type ToolSpec } from '@cuecard/core/tools';
import { voice } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { liveKitTool } from '../src/index.js';
import { FakeSpeaker, FakeVoice, speaking } from './support/audio.js';
import { bakedBase, refundFact } from './support/bases.js';
import { calls, startCall, toolResults } from './support/call.js';

const line = 'One moment, I am looking.';

function waiting(milliseconds: number, say: string | readonly string[] = line): ToolSpec {
  return tool({
    name: 'wait',
    description: 'Waits.',
    parameters: z.object({}),
    announce: { say, afterMs: 300 },
    timeoutMs: 3_000,
    run: async () => wait(milliseconds, { waited: true }),
  });
}

/** A call with a speaker and a voice. */
async function spokenCall(spec: ToolSpec, turns = 1) {
  const agent = new voice.Agent({
    instructions: 'Help.',
    tools: [liveKitTool(spec)],
    tts: new FakeVoice(),
  });
  const spoken: string[] = [];
  speaking(agent, spoken);
  const replies = Array.from({ length: turns }, () => [calls(spec.name), { text: 'Here it is.' }]);
  const call = await startCall(agent, replies.flat(), { audio: new FakeSpeaker() });
  return { call, spoken };
}

describe('announce lines', () => {
  it('speaks the line once while a tool takes two seconds, then the answer', async () => {
    const { call, spoken } = await spokenCall(waiting(2_000));
    await call.say('Please wait.');
    expect(spoken).toEqual([line, 'Here it is.']);
    expect(toolResults(call.requests()[1])).toEqual([{ waited: true }]);
    // The line is not in the history, where a model would learn to write it.
    expect(JSON.stringify(call.session.history.toJSON())).not.toContain(line);
  });

  it('speaks the line once while a tool hangs, and ends the turn at the deadline', async () => {
    const hangs = { ...waiting(60_000), timeoutMs: 1_000 };
    const { call, spoken } = await spokenCall(hangs);
    await call.say('Please wait.');
    expect(spoken).toEqual([line, 'Here it is.']);
    expect(toolResults(call.requests()[1])).toEqual([
      { error: expect.stringContaining('did not answer in time') },
    ]);
  });

  it('speaks nothing for a fast lookup', async () => {
    const { base } = await bakedBase('refunds', refundFact);
    await base.start();
    const { call, spoken } = await spokenCall(
      base.tool({ announce: { say: line, afterMs: 2_000 } }),
    );
    await call.say('How long does a refund take?');
    expect(spoken).toEqual(['Here it is.']);
  });

  it('does not speak the same line twice in a row when there are several', async () => {
    const { call, spoken } = await spokenCall(waiting(600, ['One moment.', 'Nearly there.']), 2);
    await call.say('Please wait.');
    await call.say('Again.');
    expect(spoken).toEqual(['One moment.', 'Here it is.', 'Nearly there.', 'Here it is.']);
  });

  it('waits in silence where there is a speaker and no voice', async () => {
    const spec = waiting(700);
    const agent = new voice.Agent({ instructions: 'Help.', tools: [liveKitTool(spec)] });
    const call = await startCall(agent, [calls('wait'), { text: 'Here it is.' }], {
      audio: new FakeSpeaker(),
    });
    call.session.generateReply({ userInput: 'Please wait.' });
    await expect.poll(() => call.requests().length, { timeout: 20_000 }).toBe(2);
    expect(toolResults(call.requests()[1])).toEqual([{ waited: true }]);
    expect(call.said).not.toContain(line);
  });
});
