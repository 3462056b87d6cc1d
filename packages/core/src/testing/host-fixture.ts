import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished } from 'vitest';

import { KnowledgeBase } from '../knowledge-base.js';
import type { LookupEvent } from '../lookup/lookup-event.js';
import type { HostCall, HostDriver, HostReply, HostSetup } from './host-driver.js';

/** What the model says when it has called all it was to call. */
export const closingLine = 'That is all I have.';

/** A small baked base, and what was looked up in it. */
export interface HotelBase {
  readonly base: KnowledgeBase;
  readonly lookups: readonly LookupEvent[];
  remove(): Promise<void>;
}

/** Bakes a base of two documents in a folder of its own. It is not started. */
export async function bakeHotel(): Promise<HotelBase> {
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-host-'));
  const documents = join(folder, 'documents');
  await mkdir(documents);
  await writeFile(
    join(documents, 'refunds.md'),
    '# Refunds\n\nA refund arrives within five working days of the request.\n',
  );
  await writeFile(join(documents, 'pets.md'), '# Pets\n\nDogs stay for twelve euros a night.\n');
  const lookups: LookupEvent[] = [];
  const base = new KnowledgeBase({
    name: 'hotel',
    documents,
    indexDir: join(folder, 'index'),
    mode: 'keyword',
    onLookup: (event) => lookups.push(event),
  });
  await base.bake();
  const remove = async (): Promise<void> => {
    await base.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { base, lookups, remove };
}

/** A model that makes these calls at once, then closes. */
export function calling(...calls: NonNullable<HostReply['calls']>): HostSetup['model'] {
  let isAsked = false;
  return () => {
    if (isAsked) return { text: closingLine };
    isAsked = true;
    return { calls };
  };
}

/** A call in which the caller has said one thing, and the host has answered it. */
export async function oneTurn(driver: HostDriver, setup: HostSetup): Promise<HostCall> {
  const call = await driver.start(setup);
  onTestFinished(() => call.close());
  await call.say('How long does a refund take?');
  return call;
}

/** The results in the last request, which has to have `count` of them. */
export function resultsOf(call: HostCall, count = 1): readonly string[] {
  const results = call.requests.at(-1)?.results ?? [];
  expect(results, 'tool results in the last request').toHaveLength(count);
  return results;
}

/** The value of a result that has to be one JSON object, not a text with JSON in it. */
export function objectOf(result: string | undefined): unknown {
  const value: unknown = JSON.parse(result ?? '');
  expect(value).toBeTypeOf('object');
  expect(value).not.toBeNull();
  expect(value).not.toEqual({});
  return value;
}

/** The sentence of an error result: the `error` of an object, or a plain text. */
export function errorOf(result: string | undefined): string {
  const text = result ?? '';
  expect(text.trim()).not.toBe('');
  if (!/^["{[]/.test(text)) return text;
  const value = objectOf(text);
  expect(value).toHaveProperty('error', expect.stringMatching(/\S/));
  return String(Reflect.get(Object(value), 'error'));
}
