import { describe, expect, it } from 'vitest';

import type { ChatCall, ChatEvent, ChatMessage, ChatTool } from '../tools/chat-driver.js';
import { describeChatDriverEnds } from './describe-chat-driver-ends.js';
import {
  type StartChatModel,
  callsOf,
  question,
  readAll,
  startFor,
  textOf,
} from './describe-chat-driver-model.js';

/**
 * The conformance suite of the {@link ChatDriver} contract, for vitest: run it on every implementation. The driver's own
 * test brings a server that answers as it is told and reports what it got.
 */
export function describeChatDriver(name: string, start: StartChatModel): void {
  describe(`${name} as a ChatDriver`, () => {
    describeAnswers(start);
    describeConversations(start);
    describeChatDriverEnds(start);
  });
}

const lookUp: ChatTool = {
  name: 'look_up',
  description: 'Looks something up.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
};
const tools: readonly ChatTool[] = [lookUp, { ...lookUp, name: 'book' }];

function describeAnswers(start: StartChatModel): void {
  describe('an answer', () => {
    it('comes in pieces, while the rest is still to come', async () => {
      const text = 'The pool opens at nine,\n and closes at ten. ';
      const { driver, requests } = await startFor(start, { text, pieceMs: 20 });
      const events: ChatEvent[] = [];
      const ends: string[] = [];
      let end = 'open';
      for await (const event of driver.stream(question)) {
        if (events.length === 0) void requests()[0]?.ended.then((how) => (end = how));
        events.push(event);
        ends.push(end);
      }
      expect(ends.slice(0, 3)).toEqual(['open', 'open', 'open']);
      expect(events.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(3);
      expect(textOf(events)).toBe(text);
      expect(events.at(-1)).toMatchObject({ kind: 'end', reason: 'stop' });
    });

    it('tells what it cost, or nothing', async () => {
      const { driver } = await startFor(start, { text: 'At nine.' });
      const end = (await readAll(driver, question)).at(-1);
      const usage = end?.kind === 'end' ? end.usage : undefined;
      for (const count of Object.values(usage ?? {}))
        expect(Number.isSafeInteger(count) && count > 0).toBe(true);
    });

    it('may be empty', async () => {
      const { driver } = await startFor(start, {});
      const events = await readAll(driver, question);
      expect(events).toMatchObject([{ kind: 'end', reason: 'stop' }]);
    });

    it('may be a call, after some text', async () => {
      const call = { name: 'look_up', arguments: { query: 'When does the pool open?' } };
      const { driver } = await startFor(start, { text: 'One moment.', calls: [call] });
      const events = await readAll(driver, { ...question, tools });
      expect(textOf(events)).toBe('One moment.');
      expect(callsOf(events)).toEqual([
        { id: expect.stringMatching(/\S/), name: 'look_up', arguments: expect.any(String) },
      ]);
      expect(JSON.parse(callsOf(events)[0]?.arguments ?? '')).toEqual(call.arguments);
      expect(events.at(-1)).toMatchObject({ kind: 'end', reason: 'calls' });
      const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'text');
      expect([
        ['calling', 'call', 'end'],
        ['call', 'end'],
      ]).toContainEqual(kinds);
    });

    it('may be several calls, in order and told apart', async () => {
      const { driver } = await startFor(start, {
        calls: ['dogs', 'cats', 'dogs'].map((query) => ({
          name: 'look_up',
          arguments: { query },
        })),
      });
      const calls = callsOf(await readAll(driver, { ...question, tools }));
      expect(calls.map((call): unknown => JSON.parse(call.arguments))).toEqual([
        { query: 'dogs' },
        { query: 'cats' },
        { query: 'dogs' },
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    });

    it('has the arguments as the model wrote them, and an object where it wrote none', async () => {
      const wrong = '{"query": "ref';
      const { driver } = await startFor(start, {
        calls: [
          { name: 'book', arguments: '' },
          { name: 'look_up', arguments: wrong },
        ],
      });
      const calls = callsOf(await readAll(driver, { ...question, tools }));
      expect(calls.map(({ arguments: text }) => text)).toEqual(['{}', wrong]);
    });

    it('is not mixed up with another that comes at the same time', async () => {
      const texts = ['one two three four', 'five six seven eight'];
      const { driver } = await startFor(start, ...texts.map((text) => ({ text, pieceMs: 5 })));
      const answers = await Promise.all(texts.map(() => readAll(driver, question)));
      expect(answers.map(textOf).toSorted()).toEqual(texts.toSorted());
    });
  });
}

function describeConversations(start: StartChatModel): void {
  describe('a request', () => {
    it('offers the tools it is given, and none otherwise', async () => {
      const { driver, requests } = await startFor(
        start,
        { text: 'a' },
        { text: 'b' },
        { text: 'c' },
      );
      await readAll(driver, { ...question, tools });
      await readAll(driver, { ...question, tools: [] });
      await readAll(driver, question);
      expect(requests().map((request) => request.tools)).toEqual([['look_up', 'book'], [], []]);
    });

    it('carries the whole conversation, the calls of the model and their results', async () => {
      const query = { name: 'look_up', arguments: { query: 'pool' } };
      const { driver, requests } = await startFor(
        start,
        { text: 'I look.', calls: [query, query] },
        { text: 'At nine.' },
      );
      const asked: readonly ChatMessage[] = [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'Hello?' },
        { role: 'assistant', text: 'Good morning. 🙂' },
        { role: 'user', text: 'When does the "pool" open?\n' },
      ];
      const calls = callsOf(await readAll(driver, { messages: asked, tools }));
      const messages: readonly ChatMessage[] = [
        ...asked,
        { role: 'assistant', text: 'I look.', calls },
        ...calls.map((call) => resultOf(call)),
      ];
      expect(textOf(await readAll(driver, { messages, tools }))).toBe('At nine.');
      expect(requests().map((request) => request.messages)).toEqual([asked, messages]);
    });

    it('may carry a call of a function that cannot exist, as models make them up', async () => {
      const { driver } = await startFor(
        start,
        { calls: [{ name: 'functions.look up', arguments: {} }] },
        { text: 'Sorry.' },
      );
      const calls = callsOf(await readAll(driver, { ...question, tools }));
      expect(calls[0]?.name).toBe('functions.look up');
      const messages: readonly ChatMessage[] = [
        ...question.messages,
        { role: 'assistant', calls },
        ...calls.map((call) => resultOf(call)),
      ];
      expect(textOf(await readAll(driver, { messages, tools }))).toBe('Sorry.');
    });
  });
}

function resultOf({ id }: ChatCall): ChatMessage {
  return { role: 'tool', callId: id, value: { results: [{ text: 'From nine, "daily".' }] } };
}
