import { setTimeout as wait } from 'node:timers/promises';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import {
  type ToolOutcome,
  type ToolSpec,
  ToolError,
  end,
  next,
  runTool,
  tool,
} from '../../src/tools.js';

const secret = 'password of the provider';

function returning(
  run: (args: unknown, context: { readonly signal: AbortSignal }) => unknown,
  options: { readonly timeoutMs?: number; readonly readOnly?: boolean } = {},
): ToolSpec {
  const parameters = z.object({});
  return tool({ name: 'made', description: 'Made.', parameters, ...options, run });
}

async function outcomeOf(run: () => unknown): Promise<ToolOutcome> {
  return runTool(returning(run), {});
}

function throwing(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

/** What every outcome has to be, whatever a tool does. */
function expectReadable(outcome: ToolOutcome): void {
  expect(Object.keys(outcome.value).length).toBeGreaterThan(0);
  expect(JSON.parse(JSON.stringify(outcome.value))).toEqual(outcome.value);
}

describe('what a tool returns', () => {
  it.each([
    ['an object, as it is', { room: 12, free: [true] }, { room: 12, free: [true] }],
    ['a string', 'booked', { result: 'booked' }],
    ['an empty string', '', { result: '' }],
    ['a number', 0, { result: 0 }],
    ['a boolean', false, { result: false }],
    ['null', null, { result: null }],
    ['an array', [1, 2], { result: [1, 2] }],
    ['nothing', undefined, { result: 'done' }],
    ['an empty object', {}, { result: 'done' }],
    ['an object of nothing', { a: undefined, b: () => 1 }, { result: 'done' }],
    ['a function', () => 1, { result: 'done' }],
    ['a symbol', Symbol('a'), { result: 'done' }],
    ['a bigint', 12n, { result: '12' }],
    ['a bigint inside', { id: 2n ** 70n }, { id: '1180591620717411303424' }],
    ['a map', new Map([['a', 1]]), { a: 1 }],
    ['an empty map', new Map(), { result: 'done' }],
    ['a set', { of: new Set(['a']) }, { of: ['a'] }],
    ['a typed array', Float32Array.of(1, 2), { result: [1, 2] }],
    ['a date', new Date(0), { result: '1970-01-01T00:00:00.000Z' }],
    ['not a number', { at: Number.NaN }, { at: null }],
  ])('reaches the model: %s', async (_, returned, value) => {
    expect(await outcomeOf(() => returned)).toEqual({ kind: 'result', value });
    expect(await outcomeOf(async () => returned)).toEqual({ kind: 'result', value });
  });

  it('is an error when it has no end, and when it is one', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const trap = {
      get room() {
        throw new Error(secret);
      },
    };
    for (const returned of [circle, trap, new Error(secret)]) {
      const outcome = await outcomeOf(() => returned);
      expect(outcome).toMatchObject({ kind: 'error', reason: 'failed' });
      expect(outcome.value).toEqual({ error: 'The tool failed.' });
    }
  });

  it('may steer the call', async () => {
    expect(await outcomeOf(() => next('booking', { guest: 'A' }))).toEqual({
      kind: 'next',
      task: 'booking',
      value: { guest: 'A' },
    });
    expect(await outcomeOf(() => next('booking'))).toMatchObject({ value: { result: 'done' } });
    expect(await outcomeOf(() => end({ to: 'sales' }, 'bye'))).toEqual({
      kind: 'end',
      handoff: { to: 'sales' },
      value: { result: 'bye' },
    });
    expect(await outcomeOf(() => end())).toEqual({ kind: 'end', value: { result: 'done' } });
  });

  it('is readable whatever it is', async () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
    });
    await fc.assert(
      fc.asyncProperty(anything, async (returned) => {
        expectReadable(await outcomeOf(() => returned));
        expectReadable(await outcomeOf(() => next('booking', returned)));
        const ended = await outcomeOf(() => end(returned, returned));
        expectReadable(ended);
        expect(JSON.parse(JSON.stringify(ended.value))).toEqual(ended.value);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what a tool throws', () => {
  it('does not reach the model, but its host', async () => {
    const thrown = new Error(secret);
    const outcome = await outcomeOf(throwing(thrown));
    expect(outcome).toEqual({
      kind: 'error',
      reason: 'failed',
      value: { error: 'The tool failed.' },
      cause: thrown,
    });
  });

  it('reaches the model when it is a ToolError, at most 500 characters of it', async () => {
    const { value } = await outcomeOf(throwing(new ToolError(' No such booking. ')));
    expect(value).toEqual({ error: 'No such booking.' });
    const long = await outcomeOf(throwing(new ToolError(`${'x'.repeat(499)}🙂 and more`)));
    expect(long.value).toEqual({ error: 'x'.repeat(499) });
    const empty = await outcomeOf(throwing(new ToolError(' ')));
    expect(empty.value).toEqual({ error: 'The tool failed.' });
  });

  it('may be a ToolError of another copy of this package', async () => {
    const other = Object.assign(new Error('From elsewhere.'), {});
    Object.defineProperty(other, Symbol.for('cuecard.ToolError'), { value: true });
    expect((await outcomeOf(throwing(other))).value).toEqual({ error: 'From elsewhere.' });
  });

  it('gives a readable error whatever it is', async () => {
    const hostile = new Proxy({}, { has: throwing('has'), get: throwing('get') });
    for (const thrown of [hostile, undefined, null])
      expectReadable(await outcomeOf(throwing(thrown)));
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (thrown) => {
        const now = await outcomeOf(throwing(thrown));
        const later = await outcomeOf(async () => throwing(thrown)());
        expect([now.value, later.value]).toEqual([
          { error: 'The tool failed.' },
          { error: 'The tool failed.' },
        ]);
      }),
    );
  });
});

describe('how long a tool may take', () => {
  it('ends a tool that hangs, and says that it may still take effect', async () => {
    const hanging = returning(() => new Promise(() => undefined), { timeoutMs: 20 });
    expect(await runTool(hanging, {})).toEqual({
      kind: 'error',
      reason: 'timeout',
      value: { error: 'The tool did not answer in time. It may still take effect.' },
    });
    const reading = returning(() => new Promise(() => undefined), {
      timeoutMs: 20,
      readOnly: true,
    });
    const outcome = await runTool(reading, {});
    expect(outcome.value).toEqual({ error: 'The tool did not answer in time.' });
  });

  it('aborts the signal of a tool that is late, and does not wait for it', async () => {
    const reasons: unknown[] = [];
    const waiting = returning(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          });
        }),
      { timeoutMs: 20 },
    );
    expect(await runTool(waiting, {})).toMatchObject({ reason: 'timeout' });
    expect(reasons).toMatchObject([{ name: 'TimeoutError' }]);
  });

  it('drops what comes after the deadline', async () => {
    let isOver = false;
    const late = returning(
      async () => {
        await wait(80);
        isOver = true;
        return 'late';
      },
      { timeoutMs: 20 },
    );
    expect(await runTool(late, {})).toMatchObject({ reason: 'timeout' });
    expect(isOver).toBe(false);
    await wait(120);
    expect(isOver).toBe(true);
  });

  it('bounds the check of the arguments, too', async () => {
    const parameters = z.object({}).refine(() => new Promise<boolean>(() => undefined));
    const runs: unknown[] = [];
    const run = (): unknown => runs.push(1);
    const stuck = tool({ name: 'a', description: 'A.', parameters, timeoutMs: 20, run });
    expect(await runTool(stuck, {})).toMatchObject({ reason: 'timeout' });
    expect(runs).toEqual([]);
  });

  it('ends with the signal of the call, and does not begin once that is aborted', async () => {
    const call = new AbortController();
    const seen: unknown[] = [];
    const hanging = returning((_, { signal }) => {
      signal.addEventListener('abort', () => seen.push(signal.reason));
      return new Promise(() => undefined);
    });
    const running = runTool(hanging, {}, { signal: call.signal });
    await wait(10);
    call.abort('hung up');
    expect(await running).toMatchObject({ kind: 'error', reason: 'cancelled' });
    expect(seen).toEqual(['hung up']);
    expect(await runTool(hanging, {}, { signal: call.signal })).toEqual({
      kind: 'error',
      reason: 'cancelled',
      value: { error: 'The tool was stopped.' },
    });
    expect(seen).toHaveLength(1);
  });

  it('leaves the signal of a tool that answered alone', async () => {
    let kept: AbortSignal | undefined;
    await runTool(
      returning((_, { signal }) => void (kept = signal)),
      {},
    );
    await wait(10);
    expect(kept?.aborted).toBe(false);
  });

  it('leaves nothing behind on the signal of a long call', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const counted = new Proxy(signal, {
      get: (target, key) => {
        if (key === 'aborted') return false;
        return key !== 'addEventListener'
          ? Reflect.get(target, key)
          : (type: string, listener: () => void, options: { readonly signal?: AbortSignal }) => {
              listeners += 1;
              options.signal?.addEventListener('abort', () => (listeners -= 1));
              add(type, listener, options);
            };
      },
    });
    for (let run = 0; run < 20; run += 1)
      await runTool(
        returning(() => run),
        {},
        { signal: counted },
      );
    expect(listeners).toBe(0);
  });
});

describe('what a model sends', () => {
  const booking = tool({
    name: 'find',
    description: 'Finds.',
    parameters: z.object({ booking: z.string(), nights: z.number().optional() }),
    run: (args) => args,
  });

  it.each([
    ['an object', { booking: 'AB12' }],
    ['its JSON', '{"booking":"AB12"}'],
    ['null for what is not given', { booking: 'AB12', nights: null }],
  ])('is taken as %s', async (_, sent) => {
    expect(await runTool(booking, sent)).toEqual({ kind: 'result', value: { booking: 'AB12' } });
  });

  it.each([
    ['a wrong type', { booking: 12 }],
    ['a key missing', {}],
    ['null for what is required', { booking: null }],
    ['an array', [{ booking: 'AB12' }]],
    ['JSON in JSON', JSON.stringify('{"booking":"AB12"}')],
    ['no JSON', 'AB12'],
    ['half JSON', '{"booking":"AB'],
    ['nothing', undefined],
    ['a number', 7],
  ])('is refused when it is %s', async (_, sent) => {
    expect(await runTool(booking, sent)).toEqual({
      kind: 'error',
      reason: 'bad-arguments',
      value: { error: "The arguments do not fit this tool's parameters." },
    });
  });

  it.each([[''], ['  '], [undefined], [null], ['{}'], [{}]])(
    'may be nothing where nothing is asked for: %j',
    async (sent) => {
      expect(
        await runTool(
          returning(() => 'ran'),
          sent,
        ),
      ).toMatchObject({ value: { result: 'ran' } });
    },
  );

  it('never makes a run reject, whatever it is', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const deep = '['.repeat(50_000);
    expect(await runTool(booking, circle)).toMatchObject({ reason: 'bad-arguments' });
    for (const sent of [deep, `{"a":${deep}${']'.repeat(50_000)}}`])
      expectReadable(await runTool(booking, sent));
    const sent = fc.oneof(fc.anything(), fc.json(), fc.string());
    await fc.assert(
      fc.asyncProperty(sent, async (args) => expectReadable(await runTool(booking, args))),
    );
  });
});
