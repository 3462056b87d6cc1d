import { ChatError, type ChatCall, type ChatEvent } from '@cuecard/core';
import {
  array,
  assert,
  asyncProperty,
  infiniteStream,
  json,
  nat,
  record,
  stringMatching,
} from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openaiChat } from '../src/index.js';
import { callChunk, chunk, collect, eventsOf, messages } from './chat-support.js';

const over = chunk({}, 'tool_calls');
const never = new Promise<never>(() => undefined);

function callsIn(events: readonly ChatEvent[]): readonly ChatCall[] {
  return events.flatMap((event) => (event.kind === 'call' ? [event.call] : []));
}

describe('calls in a stream', () => {
  it('are whole again, however they were cut and mixed', async () => {
    const call = record({
      name: stringMatching(/^[a-z_]{1,12}$/),
      arguments: json({ maxDepth: 2 }),
      cuts: array(nat(), { maxLength: 6 }),
    });
    await assert(
      asyncProperty(
        array(call, { minLength: 1, maxLength: 4 }),
        infiniteStream(nat()),
        async (calls, order) => {
          const queues = calls.map((each, index) => [
            { index, id: `c${index}`, function: { name: each.name, arguments: '' } },
            ...cutAt(each.arguments, each.cuts).map((text) => ({
              index,
              function: { arguments: text },
            })),
          ]);
          const wire: object[] = queues.map((queue) => callChunk(queue.shift() ?? {}));
          for (let left = queues.flat().length; left > 0; left -= 1) {
            const open = queues.filter((queue) => queue.length > 0);
            wire.push(callChunk(open[(order.next().value ?? 0) % open.length]?.shift() ?? {}));
          }
          const events = await eventsOf([...wire, over]);
          expect(callsIn(events)).toEqual(
            calls.map((each, index) => ({
              id: `c${index}`,
              name: each.name,
              arguments: each.arguments,
            })),
          );
          const begun = events.flatMap((event) => (event.kind === 'calling' ? [event.name] : []));
          expect(begun.toSorted()).toEqual(calls.map(({ name }) => name).toSorted());
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    [
      'no index and no id',
      [
        { function: { name: 'a', arguments: '{"x":1}' } },
        { function: { name: 'a', arguments: '{"x":2}' } },
      ],
    ],
    [
      'the same index and an id each',
      [
        { index: 0, id: 'c1', function: { name: 'a', arguments: '{"x":1}' } },
        { index: 0, id: 'c2', function: { name: 'a', arguments: '{"x"' } },
        { index: 0, function: { arguments: ':2}' } },
      ],
    ],
    [
      'the same id',
      [
        { index: 0, id: 'c1', function: { name: 'a', arguments: '{"x":1}' } },
        { index: 1, id: 'c1', function: { name: 'a', arguments: '{"x":2}' } },
      ],
    ],
    [
      'name and id with every piece',
      [
        { index: 0, id: 'c1', function: { name: 'a', arguments: '{"x"' } },
        { index: 0, id: 'c1', function: { name: 'a', arguments: ':1}' } },
        { index: 1, id: 'c2', function: { name: 'a', arguments: '{"x"' } },
        { index: 1, id: 'c2', function: { name: 'a', arguments: ':2}' } },
      ],
    ],
    [
      'an object or nothing where a text belongs',
      [
        { index: 0, id: 7, function: { name: 'a', arguments: null } },
        { index: 0, function: { arguments: '{"x":1}' } },
        { index: 1, id: null, function: { name: 'a', arguments: '{"x":2}' } },
      ],
    ],
  ])('are told apart with %s', async (_, deltas) => {
    const apart = await eventsOf([...deltas.map((delta) => callChunk(delta)), over]);
    const together = await eventsOf([callChunk(...deltas), over]);
    for (const events of [apart, together]) {
      const calls = callsIn(events);
      expect(calls.map(({ name }) => name)).toEqual(['a', 'a']);
      expect(calls.map((call) => call.arguments)).toEqual(['{"x":1}', '{"x":2}']);
      expect(calls.every(({ id }) => id !== '')).toBe(true);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    }
  });

  it('have a name that came in pieces', async () => {
    const deltas = [{ name: 'look' }, { name: '_up' }, { arguments: '{}' }];
    const wire = deltas.map((called) => callChunk({ index: 0, id: 'c1', function: called }));
    expect(await eventsOf([...wire, over])).toMatchObject([
      { kind: 'calling', name: 'look_up' },
      { kind: 'call', call: { id: 'c1', name: 'look_up', arguments: '{}' } },
      { kind: 'end', reason: 'calls' },
    ]);
  });
});

describe('the end of an answer', () => {
  const call = callChunk({ index: 0, id: 'c1', function: { name: 'a', arguments: '{"x' } });
  const said = chunk({ content: 'Well' });

  it.each([
    ['stop', [said, chunk({}, 'stop')], 'stop', 'Well', 0],
    ['stop, although it calls', [call, chunk({}, 'stop')], 'calls', '', 1],
    ['tool_calls, although it calls nothing', [said, over], 'stop', 'Well', 0],
    ['a word of its own', [said, chunk({}, 'eos')], 'stop', 'Well', 0],
    ['length', [said, chunk({}, 'length')], 'length', 'Well', 0],
    ['length in a call', [call, chunk({}, 'length')], 'length', '', 0],
    ['content_filter', [said, chunk({}, 'content_filter')], 'filtered', 'Well', 0],
    [
      'a refusal',
      [chunk({ refusal: 'I may not.' }), chunk({}, 'stop')],
      'refused',
      'I may not.',
      0,
    ],
  ])('is read from %s', async (_, wire, reason, text, calls) => {
    const events = await eventsOf(wire);
    const texts = events.map((event) => (event.kind === 'text' ? event.text : ''));
    expect(texts.join('')).toBe(text);
    expect(callsIn(events)).toHaveLength(calls);
    expect(events.at(-1)).toMatchObject({ kind: 'end', reason });
  });

  it('is not read from anything else', async () => {
    const junk = [undefined, null, 'x', 7, [], {}, { choices: [] }, { choices: [null] }, chunk([])];
    const odd = [chunk({ content: [{ type: 'thinking' }], tool_calls: {} }), { choices: 'x' }];
    const error: unknown = await eventsOf([...junk, ...odd]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChatError);
    expect(error).toMatchObject({ code: 'broken-off' });
  });

  it('does not wait for a stream that is not closed', async () => {
    let isLeft = false;
    const stream = {
      chunks: [said, chunk({}, 'stop')],
      [Symbol.asyncIterator]: () => stream,
      next: async () => {
        const value = stream.chunks.shift();
        return value ? { value } : never;
      },
      return: async () => ({ done: (isLeft = true), value: undefined }),
    };
    const client = { chat: { completions: { create: async () => stream } } };
    const events = await collect(openaiChat(client, { model: 'm' }).stream({ messages }));
    expect(events.map(({ kind }) => kind)).toEqual(['text', 'end']);
    expect(isLeft).toBe(true);
  });

  it('comes at once when the signal aborts, whatever the client does about it', async () => {
    for (const create of [() => never, async () => hangs()]) {
      const caller = new AbortController();
      const driver = openaiChat({ chat: { completions: { create } } }, { model: 'm' });
      const reading = collect(driver.stream({ messages, signal: caller.signal }));
      const reason = new Error('the caller hung up');
      setTimeout(() => caller.abort(reason), 20);
      await expect(reading).rejects.toBe(reason);
    }
  });
});

/** An answer that begins, and never goes on. */
async function* hangs(): AsyncGenerator {
  yield chunk({ content: 'Well' });
  await never;
}

/** `text` in pieces that are cut where the numbers say. */
function cutAt(text: string, cuts: readonly number[]): string[] {
  const at = cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b);
  return [0, ...at].map((from, each) => text.slice(from, [...at, text.length][each]));
}
