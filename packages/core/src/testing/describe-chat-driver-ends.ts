import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { ChatError, type ChatEvent } from '../tools/chat-driver.js';
import {
  type ChatScript,
  type StartChatModel,
  question,
  readAll,
  readInto,
  startFor,
} from './describe-chat-driver-model.js';

const secret = 'secret-of-the-caller';
const reason = new Error('the caller hung up');
/** Ten seconds of talk: longer than a test may take. */
const long: ChatScript = { text: 'word '.repeat(500), pieceMs: 20 };

/** The part of `describeChatDriver` about answers that do not come to their end. */
export function describeChatDriverEnds(start: StartChatModel): void {
  describe('a signal', () => {
    it('closes the connection in the middle of an answer, and no event comes after it', async () => {
      const { driver, requests } = await startFor(start, long);
      const caller = new AbortController();
      const events: ChatEvent[] = [];
      const reading = readInto(events, driver, { ...question, signal: caller.signal });
      await expect.poll(() => events.length).toBeGreaterThan(2);
      const before = events.length;
      caller.abort(reason);
      await expect(reading).rejects.toBe(reason);
      expect(events).toHaveLength(before);
      expect(await requests()[0]?.ended).toBe('broken-off');
    });

    it.each(['text', 'call'] as const)('holds back what is there already: %s', async (kind) => {
      const call = { name: 'look_up', arguments: {} };
      const { driver } = await startFor(start, { text: 'word '.repeat(200), calls: [call, call] });
      const caller = new AbortController();
      const events: ChatEvent[] = [];
      const reading = (async () => {
        for await (const event of driver.stream({ ...question, signal: caller.signal })) {
          events.push(event);
          if (event.kind === kind) caller.abort(reason);
        }
      })();
      await expect(reading).rejects.toBe(reason);
      expect(events.at(-1)?.kind).toBe(kind);
      expect(events.filter((event) => event.kind === kind)).toHaveLength(1);
    });

    it('closes the connection while nobody waits for the next event', async () => {
      const { driver, requests } = await startFor(start, long);
      const caller = new AbortController();
      const stream = driver.stream({ ...question, signal: caller.signal });
      const events = stream[Symbol.asyncIterator]();
      await events.next();
      caller.abort(reason);
      expect(await requests()[0]?.ended).toBe('broken-off');
      await expect(events.next()).rejects.toBe(reason);
    });

    it('closes the connection before the first piece', async () => {
      const { driver, requests } = await startFor(start, { text: 'word', pieceMs: 10_000 });
      const caller = new AbortController();
      const reading = readAll(driver, { ...question, signal: caller.signal });
      await expect.poll(() => requests().length).toBe(1);
      caller.abort(reason);
      await expect(reading).rejects.toBe(reason);
      expect(await requests()[0]?.ended).toBe('broken-off');
    });

    it('that is aborted before lets nothing be sent', async () => {
      const { driver, requests } = await startFor(start, { text: 'word' });
      const reading = readAll(driver, { ...question, signal: AbortSignal.abort(reason) });
      await expect(reading).rejects.toBe(reason);
      expect(requests()).toEqual([]);
    });

    it('of a whole call has no listener left when an answer is over, whatever its end', async () => {
      const answers: readonly ChatScript[] = [
        { text: 'word' },
        { fault: 'rejected' },
        { text: 'one two three four', fault: 'broken-off' },
      ];
      const { driver } = await startFor(start, ...answers);
      const { signal } = new AbortController();
      for (const _ of answers) await readAll(driver, { ...question, signal }).catch(() => []);
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    });
  });

  describe('a reader who leaves', () => {
    it('closes the connection', async () => {
      const { driver, requests } = await startFor(start, long);
      for await (const event of driver.stream(question)) {
        expect(event.kind).toBe('text');
        break;
      }
      expect(await requests()[0]?.ended).toBe('broken-off');
    });
  });

  describe('a failure', () => {
    it('before the first event is a ChatError that quotes nothing', async () => {
      const { driver, requests } = await startFor(start, { fault: 'rejected' });
      const { events, error } = await failed(driver);
      expect(error).toMatchObject({ name: 'ChatError', code: 'rejected' });
      expect(events).toEqual([]);
      expect(requests()).toHaveLength(1);
    });

    it('after it is a ChatError too, and the answer is not begun again', async () => {
      const { driver, requests } = await startFor(
        start,
        { text: 'one two three four five six', fault: 'broken-off' },
        { text: 'again' },
      );
      const { events, error } = await failed(driver);
      expect(error).toMatchObject({ name: 'ChatError', code: 'broken-off' });
      expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['text']));
      expect(requests()).toHaveLength(1);
    });

    it('in the middle of a call gives no call', async () => {
      const call = { name: 'look_up', arguments: { query: 'When does the pool open?' } };
      const { driver } = await startFor(start, { calls: [call, call], fault: 'broken-off' });
      const { events, error } = await failed(driver);
      expect(error).toMatchObject({ name: 'ChatError', code: 'broken-off' });
      expect(events.filter(({ kind }) => kind !== 'calling')).toEqual([]);
    });
  });
}

/** Reads an answer that has to fail, without a word of the conversation in the error. */
async function failed(
  driver: Parameters<typeof readInto>[1],
): Promise<{ readonly events: readonly ChatEvent[]; readonly error: ChatError }> {
  const events: ChatEvent[] = [];
  const messages = [{ role: 'user', text: secret }] as const;
  const error: unknown = await readInto(events, driver, { messages }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ChatError)) throw new TypeError('no ChatError was thrown');
  const shown = [error.message, error.stack, JSON.stringify([error, error.cause])];
  expect(shown.join('\n')).not.toContain(secret);
  return { events, error };
}
