import { Validator } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { type JsonObject, type JsonValue, KnowledgeError, runTool, tool } from '../../src/tools.js';

function made(parameters: object): ReturnType<typeof tool> {
  return tool({ name: 'made', description: 'Made.', parameters, run: (args: unknown) => args });
}

function strictOf(parameters: object): JsonObject {
  return JSON.parse(JSON.stringify(made(parameters).parameters));
}

function accepts(schema: object, value: unknown): boolean {
  return new Validator(JSON.parse(JSON.stringify(schema)), '2020-12').validate(value).valid;
}

describe('the strict form of a schema', () => {
  it('requires every property, and lets optional ones be null', () => {
    const parameters = z.object({
      booking: z.string().describe('Its code.'),
      nights: z.int().max(30).optional(),
      room: z.enum(['single', 'double']).default('single'),
      guest: z.object({ name: z.string().nullish() }).optional(),
      extras: z.array(z.object({ code: z.string().optional() })),
    });
    expect(strictOf(parameters)).toEqual({
      type: 'object',
      properties: {
        booking: { type: 'string', description: 'Its code.' },
        nights: { type: ['integer', 'null'], maximum: 30 },
        room: { anyOf: [{ type: 'string', enum: ['single', 'double'] }, { type: 'null' }] },
        guest: {
          type: ['object', 'null'],
          properties: { name: { type: ['string', 'null'] } },
          required: ['name'],
          additionalProperties: false,
        },
        extras: {
          type: 'array',
          items: {
            type: 'object',
            properties: { code: { type: ['string', 'null'] } },
            required: ['code'],
            additionalProperties: false,
          },
        },
      },
      required: ['booking', 'nights', 'room', 'guest', 'extras'],
      additionalProperties: false,
    });
  });

  it('leaves out what vendors refuse, which is checked all the same', async () => {
    const parameters = z.object({
      code: z
        .string()
        .min(4)
        .regex(/^(?!X)/),
      site: z.url(),
    });
    expect(strictOf(parameters)['properties']).toEqual({
      code: { type: 'string' },
      site: { type: 'string' },
    });
    const refused = [
      { code: 'abc', site: 'https://hotel.example' },
      { code: 'XBCD', site: 'https://hotel.example' },
      { code: 'ABCD', site: 'no' },
    ];
    for (const sent of refused)
      expect(await runTool(made(parameters), sent)).toMatchObject({ reason: 'bad-arguments' });
    const sent = { code: 'ABCD', site: 'https://hotel.example' };
    expect(await runTool(made(parameters), sent)).toMatchObject({ value: sent });
  });

  it('keeps references, recursion too', async () => {
    const person = z.object({
      name: z.string(),
      get guests() {
        return z.array(person).optional();
      },
    });
    const strict = strictOf(person);
    expect(JSON.stringify(strict)).toContain('"$ref":"#');
    const sent = { name: 'A', guests: [{ name: 'B', guests: null }] };
    expect(accepts(strict, sent)).toBe(true);
    expect(await runTool(made(person), sent)).toMatchObject({
      value: { name: 'A', guests: [{ name: 'B' }] },
    });
  });

  it('is not slowed down by how deep a model goes into a recursive schema', async () => {
    const operands = { left: { $ref: '#/$defs/term' }, right: { $ref: '#/$defs/term' } };
    const operation = (name: string): object => ({
      type: 'object',
      properties: { name: { const: name }, ...operands },
      required: ['name', 'left'],
    });
    const term = { anyOf: [operation('add'), operation('multiply'), { type: 'number' }] };
    const calculate = made({
      type: 'object',
      properties: { term: { $ref: '#/$defs/term' } },
      required: ['term'],
      $defs: { term },
    });
    let sent: object = { name: 'add', left: 1, right: null };
    for (let depth = 0; depth < 40; depth += 1) sent = { name: 'multiply', left: sent, right: 2 };
    const outcome = await runTool(calculate, { term: sent });
    expect(JSON.stringify(outcome.value)).toContain('{"name":"add","left":1}');
  });

  it('takes a null out only where it says nothing', async () => {
    const parameters = z.object({
      a: z.string().optional(),
      b: z.string().nullish(),
      c: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('x'), n: z.number().optional() }),
        z.object({ kind: z.literal('y'), n: z.null() }),
      ]),
      d: z.coerce.number().optional(),
    });
    const sent = { a: null, b: null, c: { kind: 'y', n: null }, d: null };
    expect(await runTool(made(parameters), sent)).toEqual({
      kind: 'result',
      value: { b: null, c: { kind: 'y', n: null } },
    });
  });

  it.each([
    ['a property of any value', z.object({ a: z.any() }), 'a takes any value'],
    [
      'a record',
      z.object({ a: z.record(z.string(), z.string()) }),
      'a takes properties of any name',
    ],
    ['a loose object', z.looseObject({}), 'the top takes properties of any name'],
    ['a tuple', z.object({ a: z.tuple([z.string()]) }), "a uses 'prefixItems'"],
    ['a union at the top', z.union([z.object({}), z.object({})]), 'its'],
    ['no object', z.string(), "its 'type' must be 'object'"],
    ['a date', z.object({ a: z.date() }), 'an object schema'],
    ['an intersection', { type: 'object', properties: { a: { allOf: [] } } }, "a uses 'allOf'"],
    ['a far reference', { type: 'object', properties: { a: { $ref: 'x.json' } } }, 'a refers to'],
    ['a dangling one', { type: 'object', properties: { a: { $ref: '#/$defs/b' } } }, 'a refers to'],
    ['an unknown type', { type: 'object', properties: { a: { type: 'date' } } }, 'a has a type'],
    ['an array of anything', z.object({ a: z.object({ b: z.array(z.any()) }) }), 'a.b[] takes any'],
    ['a schema of no library', { '~standard': { version: 1, validate: () => ({}) } }, 'an object'],
  ])('is refused for %s, naming the tool and the place', (_, parameters, reason) => {
    expect(() => made(parameters)).toThrow(KnowledgeError);
    expect(() => made(parameters)).toThrow(`Tool 'made': option 'parameters' is not valid`);
    expect(() => made(parameters)).toThrow(reason);
  });

  it('is strict, or refused, for any schema at all', () => {
    fc.assert(
      fc.property(wildSchema(3), (schema) => {
        const given = { type: 'object', ...Object(schema) };
        for (const object of objectsOf(strictOrRefused(given))) {
          expect(object['additionalProperties']).toBe(false);
          expect(object['required']).toEqual(Object.keys(Object(object['properties'])));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts what the schema accepts, and gives it back', async () => {
    await fc.assert(
      fc.asyncProperty(objectCase(2), async ({ schema, value, filled }) => {
        expect(accepts(schema, value)).toBe(true);
        expect(accepts(strictOf(schema), filled)).toBe(true);
        const expected = {
          kind: 'result',
          value: Object.keys(value).length === 0 ? { result: 'done' } : value,
        };
        expect(await runTool(made(schema), filled)).toEqual(expected);
        expect(await runTool(made(schema), value)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });
});

/** What may stand where a schema is expected, right or wrong. */
function wildSchema(depth: number): fc.Arbitrary<unknown> {
  const words = fc.constantFrom('object', 'string', 'array', '#', '#/$defs/a', 7, true, null);
  if (depth === 0) return words;
  const inner = wildSchema(depth - 1);
  const named = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), inner, { maxKeys: 2 });
  const keywords = {
    type: fc.constantFrom('object', 'string', 'array', ['string', 'null'], 'date', 7),
    properties: named,
    items: inner,
    anyOf: fc.array(inner, { maxLength: 2 }),
    $ref: words,
    $defs: named,
    enum: fc.array(words, { maxLength: 2 }),
  };
  return fc.oneof(words, fc.record(keywords, { requiredKeys: ['type'] }));
}

/** The strict form, or null where the schema is refused as it should be. */
function strictOrRefused(schema: object): JsonObject | null {
  try {
    return strictOf(schema);
  } catch (error) {
    if (error instanceof KnowledgeError) return null;
    throw error;
  }
}

/** The schemas of objects inside a schema. */
function objectsOf(schema: JsonValue): JsonObject[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap((value: JsonValue) => objectsOf(value));
  const isObject = 'additionalProperties' in schema;
  return isObject ? [{ ...schema }, ...inner] : inner;
}

/** A schema, a value it accepts, and the same value with null for what is not given. */
interface Case<Value extends JsonValue = JsonValue> {
  readonly schema: JsonObject;
  readonly value: Value;
  readonly filled: Value;
}

function same(schema: JsonObject, value: JsonValue): Case {
  return { schema, value, filled: value };
}

const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.string().map((value) => same({ type: 'string' }, value)),
  fc.integer({ min: -5, max: 5 }).map((value) => same({ type: 'integer', minimum: -5 }, value)),
  fc.boolean().map((value) => same({ type: 'boolean' }, value)),
  fc.constant(same({ type: 'null' }, null)),
  fc.constantFrom('a', null, 3).map((value) => same({ enum: ['a', null, 3] }, value)),
  fc.constantFrom('a', 'b').map((value) => same({ type: 'string', enum: ['a', 'b'] }, value)),
  fc.constantFrom('a', 2).map((value) => same({ type: ['string', 'number'] }, value)),
  fc.constant(same({ const: 'only' }, 'only')),
  fc
    .option(fc.string())
    .map((value) => same({ anyOf: [{ type: 'string' }, { type: 'null' }] }, value)),
);

function anyCase(depth: number): fc.Arbitrary<Case> {
  if (depth === 0) return leaf;
  const inner = anyCase(depth - 1);
  const array = inner.chain((item) =>
    fc.integer({ min: 0, max: 2 }).map((length) => ({
      schema: { type: 'array', items: item.schema },
      value: Array.from({ length }, () => item.value),
      filled: Array.from({ length }, () => item.filled),
    })),
  );
  return fc.oneof(leaf, array, objectCase(depth - 1));
}

function objectCase(depth: number): fc.Arbitrary<Case<JsonObject>> {
  const property = fc.record({
    inner: anyCase(depth),
    isRequired: fc.boolean(),
    isGiven: fc.boolean(),
  });
  return fc.dictionary(fc.string({ maxLength: 4 }), property, { maxKeys: 4 }).map((properties) => {
    const entries = Object.entries(properties);
    const given = entries.filter(([, { isRequired, isGiven }]) => isRequired || isGiven);
    // A property that may be null anyway has no other way of not being given.
    const left = entries.filter(
      (entry) => !given.includes(entry) && !accepts(entry[1].inner.schema, null),
    );
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(entries.map(([key, { inner }]) => [key, inner.schema])),
        required: entries.filter(([, { isRequired }]) => isRequired).map(([key]) => key),
      },
      value: Object.fromEntries([
        ...given.map(([key, { inner }]): [string, JsonValue] => [key, inner.value]),
        ...nullables(entries, given),
      ]),
      filled: Object.fromEntries([
        ...given.map(([key, { inner }]): [string, JsonValue] => [key, inner.filled]),
        ...left.map(([key]): [string, JsonValue] => [key, null]),
        ...nullables(entries, given),
      ]),
    };
  });
}

/** Properties that are left out but may be null: strict forms send null, and null it stays. */
function nullables(
  entries: readonly [string, { readonly inner: Case }][],
  given: readonly (readonly [string, unknown])[],
): [string, JsonValue][] {
  const names = new Set(given.map(([key]) => key));
  return entries.flatMap(([key, { inner }]): [string, JsonValue][] =>
    !names.has(key) && accepts(inner.schema, null) ? [[key, null]] : [],
  );
}
