import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bases } from '../src/bases.js';
import { calls, startCall, toolResult } from './support/call.js';

const greet = ['end_call', 'go_to_booking', 'go_to_luggage', 'go_to_refunds', 'look_up_travel'];
const refunds = ['end_call', 'go_to_booking', 'go_to_luggage', 'look_up_refunds', 'look_up_travel'];
const luggage = ['end_call', 'go_to_booking', 'go_to_refunds', 'look_up_luggage', 'look_up_travel'];
const booking = ['end_call', 'find_booking', 'go_to_luggage', 'go_to_refunds', 'look_up_travel'];

const question = 'I regret buying my saver ticket this morning, can I get my money back?';
const rule = /within 24 hours of buying it/;

describe('the front desk', () => {
  beforeAll(async () => {
    for (const base of bases) await base.bake();
    await Promise.all(bases.map((base) => base.start()));
  }, 300_000);
  afterAll(async () => {
    await Promise.all(bases.map((base) => base.close()));
  });

  it('answers a question on a refund out of the baked documents', async () => {
    const { call, shown, requests } = await startCall(
      calls('go_to_refunds'),
      calls('look_up_refunds', { query: question }),
      { text: 'Yes, all of it, if the flight is a week away.' },
    );
    await call.say(question);
    expect(toolResult(requests().at(-1))).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ text: expect.stringMatching(rule), source: 'refunds.md' }),
      ]),
    });
    expect(shown).toEqual([
      '  [task] greet',
      'Desk: Skerry Air, good day. How can I help you?',
      expect.stringMatching(/^ {2}\[tool\] go_to_refunds \{\} \d+ ms$/),
      '  [task] refunds',
      expect.stringMatching(/^ {2}\[tool\] look_up_refunds \{"query":"I regret .+"\} \d+ ms$/),
      'Desk: Yes, all of it, if the flight is a week away.',
    ]);
  });

  it('brings passages along with the first request of a turn, before any lookup', async () => {
    const { call, requests } = await startCall(calls('go_to_refunds'), { text: 'Yes, all of it.' });
    await call.say(question);
    const [first, second] = requests();
    expect(JSON.stringify(first?.messages)).not.toMatch(rule);
    expect(JSON.stringify(second?.messages)).toMatch(rule);
    expect(second?.messages.at(-1)).toMatchObject({ role: 'user', content: question });
  });

  it('offers each request the tools of its task and no others, one call at a time', async () => {
    const { call, requests } = await startCall(
      calls('go_to_luggage'),
      { text: 'What is in it?' },
      calls('look_up_luggage', { query: 'a cello in the cabin' }),
      { text: 'It needs a seat.' },
      calls('go_to_booking'),
      { text: 'What is the code?' },
      calls('look_up_travel', { query: 'when does check-in close' }),
      { text: 'Forty minutes before.' },
      calls('go_to_refunds'),
      { text: 'On which fare?' },
    );
    await call.say('I have a big case.');
    await call.say('A cello.');
    await call.say('Am I booked?');
    await call.say('When do I have to be there?');
    await call.say('Then I want my money back.');
    const sent = requests();
    expect(sent.map(({ tools }) => tools.toSorted())).toEqual([
      greet,
      luggage,
      luggage,
      luggage,
      luggage,
      booking,
      booking,
      booking,
      booking,
      refunds,
    ]);
    expect(sent.every(({ body }) => body['parallel_tool_calls'] === false)).toBe(true);
  });

  it('finds a booking by its spelled code, and keeps it for the tasks after', async () => {
    const { call, requests } = await startCall(
      calls('go_to_booking'),
      calls('find_booking', { code: 'k-7-p d2m' }),
      { text: 'You fly on Friday the ninth.' },
      calls('go_to_luggage'),
      { text: 'A cabin bag only.' },
    );
    await call.say('When do I fly? K 7 P D 2 M.');
    expect(toolResult(requests()[2])).toEqual({
      found: true,
      code: 'K7PD2M',
      passengers: 'Ingrid Moar',
      flight: 'SK 203',
      from: 'Port Ellin',
      to: 'Skerry',
      departs: 'Friday 9 January at 7:40 am',
      fare: 'Saver 14',
      holdBags: 'none',
    });
    await call.say('What may I take along?');
    const [system] = requests().at(-1)?.messages ?? [];
    expect(system?.content).toContain('booking is K7PD2M: fare Saver 14, hold bags none.');
  });

  it('says so when there is no booking of that code', async () => {
    const { call, requests } = await startCall(
      calls('go_to_booking'),
      calls('find_booking', { code: 'K7PD2X' }),
      { text: 'I have K 7 P D 2 X. Is that right?' },
      calls('go_to_luggage'),
      { text: 'Yes?' },
    );
    await call.say('My booking is K7PD2X.');
    expect(toolResult(requests().at(-1))).toMatchObject({
      found: false,
      searched: 'K 7 P D 2 X',
    });
    await call.say('And my bag?');
    const [system] = requests().at(-1)?.messages ?? [];
    expect(system?.content).toContain('No booking has been found in this call yet.');
  });

  it.each(['K7PD2', 'K7PD2MM', 'K7PD2!', ''])(
    'has a code that is none, %j, spelled once more',
    async (code) => {
      const { call, requests } = await startCall(
        calls('go_to_booking'),
        calls('find_booking', { code }),
        {
          text: 'Once more, please.',
        },
      );
      await call.say('Find my booking.');
      expect(toolResult(requests().at(-1))).toEqual({
        error:
          'That is no booking code: it has six letters or digits. Ask the caller to spell it once more.',
      });
    },
  );

  it('ends the call after its goodbye', async () => {
    const { call, shown } = await startCall(calls('end_call'), { text: 'Goodbye.' });
    expect(call.isOver).toBe(false);
    await call.say('That was all, thank you.');
    expect(call.isOver).toBe(true);
    expect(shown.at(-1)).toBe('Desk: Goodbye.');
  });
});
