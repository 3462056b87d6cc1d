import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { ToolRegistry } from '../tools/tool-registry.js';
import { tool } from '../tools/tool.js';
import type { HostDriver } from './host-driver.js';
import { calling, closingLine, oneTurn } from './host-fixture.js';

const line = 'One moment, I am looking.';

/** The part of `describeHost` about what is said while a tool runs. */
export function describeHostAnnouncements(driver: HostDriver): void {
  describe('announce lines', () => {
    it('speaks the line once, before the answer, when a tool is slow', async () => {
      const spoken = await heard(driver, 1_500);
      expect(spoken.split(line)).toHaveLength(2);
      expect(spoken.indexOf(line)).toBeLessThan(spoken.indexOf(closingLine));
    });

    it('speaks no line when a tool is fast', async () => {
      const spoken = await heard(driver, 0);
      expect(spoken).not.toContain(line);
      expect(spoken).toContain(closingLine);
    });
  });
}

async function heard(driver: HostDriver, runMs: number): Promise<string> {
  const slow = tool({
    name: 'slow',
    description: 'Takes its time.',
    parameters: { type: 'object', properties: {} },
    announce: { say: line, afterMs: 700 },
    run: () => wait(runMs, 'done'),
  });
  const call = await oneTurn(driver, {
    agent: { tools: new ToolRegistry([slow]) },
    model: calling({ name: 'slow', arguments: {} }),
  });
  return call.spoken.join(' ');
}
