import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Session } from '../tools/session.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { tool } from '../tools/tool.js';
import { describeHostAnnouncements } from './describe-host-announcements.js';
import { describeHostFailures } from './describe-host-failures.js';
import { describeHostTasks } from './describe-host-tasks.js';
import type { HostCapabilities, HostDriver } from './host-driver.js';
import {
  type HotelBase,
  bakeHotel,
  calling,
  errorOf,
  objectOf,
  oneTurn,
  resultsOf,
} from './host-fixture.js';

/**
 * The conformance suite of a host, for vitest: what "works the same on every host" means. The adapter brings a driver
 * that can start a call with a scripted model, speak as the caller, and report what the model and the caller got.
 */
export function describeHost(
  name: string,
  driver: HostDriver,
  capabilities: HostCapabilities = {},
): void {
  describe(`${name} as a host`, () => {
    describeHostLookups(driver, capabilities);
    describeHostFailures(driver, capabilities);
    if (capabilities.speaks ?? true) describeHostAnnouncements(driver);
    if (capabilities.tasks ?? true) describeHostTasks(driver, capabilities);
  });
}

function describeHostLookups(
  driver: HostDriver,
  { results: form = 'json', sessions = true }: HostCapabilities,
): void {
  describe('tools', () => {
    let hotel: HotelBase;
    beforeAll(async () => {
      hotel = await bakeHotel();
      await hotel.base.start();
    });
    afterAll(() => hotel.remove());

    const asking = (query: string) =>
      oneTurn(driver, {
        agent: { tools: new ToolRegistry([hotel.base.tool()]) },
        model: calling({ name: 'look_up', arguments: { query } }),
      });

    it('offers the model the tools it was given, and no others', async () => {
      const other = tool({
        name: 'other',
        description: 'Other.',
        parameters: noArguments,
        run: () => 1,
      });
      const tools = new ToolRegistry([hotel.base.tool(), other]);
      const call = await oneTurn(driver, { agent: { tools }, model: calling() });
      expect(call.requests[0]?.tools.toSorted()).toEqual(['look_up', 'other']);
    });

    it('looks up what the model asks for, once', async () => {
      const before = hotel.lookups.length;
      const [result] = resultsOf(await asking('refund'));
      expect(result).toContain('five working days');
      expect(hotel.lookups.slice(before)).toMatchObject([{ base: 'hotel', count: 1 }]);
    });

    it.runIf(form === 'json')('gives the model one object with fields it can read', async () => {
      const [result] = resultsOf(await asking('refund'));
      expect(objectOf(result)).toMatchObject({
        results: [{ text: expect.stringContaining('five working days'), source: 'refunds.md' }],
      });
    });

    it.runIf(form === 'text')('gives the model sentences, no JSON', async () => {
      const [result = ''] = resultsOf(await asking('refund'));
      expect(() => JSON.parse(result)).toThrow(SyntaxError);
    });

    it('says that nothing was found, which is not a failure', async () => {
      const [result = ''] = resultsOf(await asking('zeppelin'));
      const read = form === 'json' ? objectOf(result) : { results: [], text: result.trim() };
      expect(read).toMatchObject({ results: [] });
      expect(result.trim()).not.toBe('');
    });

    it('says that nothing could be looked up when the base is not started', async () => {
      const idle = await bakeHotel();
      const call = await oneTurn(driver, {
        agent: { tools: new ToolRegistry([idle.base.tool()]) },
        model: calling({ name: 'look_up', arguments: { query: 'refund' } }),
      });
      expect(errorOf(resultsOf(call)[0])).toContain('unavailable');
      await idle.remove();
    });

    it('gives the model something to read when a tool returns nothing', async () => {
      const quiet = tool({
        name: 'quiet',
        description: 'Quiet.',
        parameters: noArguments,
        run: () => undefined,
      });
      const call = await oneTurn(driver, {
        agent: { tools: new ToolRegistry([quiet]) },
        model: calling({ name: 'quiet', arguments: {} }),
      });
      expect(resultsOf(call)[0]).toMatch(/done/);
    });

    it('answers every one of several calls', async () => {
      const call = await oneTurn(driver, {
        agent: { tools: new ToolRegistry([hotel.base.tool()]) },
        model: calling(
          { name: 'look_up', arguments: { query: 'refund' } },
          { name: 'look_up', arguments: { query: 'dogs' } },
        ),
      });
      const results = resultsOf(call, 2).toSorted();
      expect(results.some((result) => result.includes('five working days'))).toBe(true);
      expect(results.some((result) => result.includes('twelve euros'))).toBe(true);
    });

    it.runIf(sessions)('gives tools the session of the call', async () => {
      let seen: Session | undefined;
      const who = tool<object, Session>({
        name: 'who',
        description: 'Who.',
        parameters: noArguments,
        run: (_, { session }) => void (seen = session),
      });
      await oneTurn(driver, {
        agent: { tools: new ToolRegistry([who]) },
        model: calling({ name: 'who', arguments: {} }),
      });
      expect(seen?.id).toMatch(/\S/);
      expect(Array.isArray(seen?.history)).toBe(true);
    });
  });
}

const noArguments = { type: 'object', properties: {} } as const;
