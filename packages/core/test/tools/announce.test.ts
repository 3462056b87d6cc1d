import { describe, expect, it } from 'vitest';

import { type AnnounceSay, announceLine } from '../../src/tools.js';

function line(say: AnnounceSay, last?: string): string | undefined {
  return announceLine({ announce: { say, afterMs: 400 } }, {}, last);
}

describe('announceLine', () => {
  it('takes turns, and never says the same line twice in a row', () => {
    const lines = ['One moment.', 'Let me look.', 'I am checking.'];
    const said: string[] = [];
    for (let turn = 0; turn < 7; turn += 1) said.push(line(lines, said.at(-1)) ?? '');
    expect(new Set(said)).toEqual(new Set(lines));
    expect(said.filter((text, at) => text === said[at - 1])).toEqual([]);
    expect(line(['Same.', 'Same.', 'Other.'], 'Same.')).toBe('Other.');
  });

  it('says the only line there is again', () => {
    expect(line('One moment.', 'One moment.')).toBe('One moment.');
    expect(line(['One moment.'], 'One moment.')).toBe('One moment.');
  });

  it('makes the line of the call', () => {
    const context = { session: { name: 'Ada' } };
    expect(announceLine({ announce: { say: greeting, afterMs: 0 } }, context)).toBe(
      'One moment, Ada.',
    );
  });

  it('says nothing when there is nothing to say, or making it failed', () => {
    expect(announceLine({}, {})).toBeUndefined();
    expect(line(() => ' ')).toBeUndefined();
    expect(
      line(() => {
        throw new Error('no name');
      }),
    ).toBeUndefined();
  });
});

function greeting({ session }: { session?: { name: string } | undefined }): string {
  return `One moment, ${session?.name}. `;
}
