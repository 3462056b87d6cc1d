import { describe, expect, it } from 'vitest';

import { Breaker, type CallEnd } from '../../src/lookup/breaker.js';
import { SeededRandom } from '../support/seeded-random.js';

/** A breaker whose time passes only when told, and whose pauses are not shortened. */
function make(random: () => number = () => 0) {
  const clock = { ms: 0 };
  const breaker = new Breaker({ now: () => clock.ms, random });
  const call = (how: CallEnd): void => breaker.begin()?.end(how);
  const calls = (count: number, how: CallEnd): void =>
    Array.from({ length: count }).forEach(() => call(how));
  return { breaker, clock, call, calls };
}

describe('a breaker', () => {
  it.each(['failed', 'late'] as const)('opens at the tenth call that %s', (how) => {
    const { breaker, calls } = make();
    calls(9, how);
    expect(breaker.state).toBe('closed');
    calls(1, how);
    expect(breaker.state).toBe('open');
    expect(breaker.begin()).toBeUndefined();
  });

  it('looks at the last twenty calls only', () => {
    const { breaker, clock, calls } = make();
    for (let times = 0; times < 5; times++) {
      calls(9, times % 2 === 0 ? 'late' : 'failed');
      clock.ms += 1_001;
      expect(breaker.state).toBe('closed');
      calls(11, 'answered');
      clock.ms += 1_001;
    }
    calls(10, 'failed');
    expect(breaker.state).toBe('open');
  });

  it('looks at all calls of the last second where they are more than twenty', () => {
    const { breaker, clock, calls } = make();
    calls(200, 'answered');
    clock.ms = 500;
    calls(30, 'late');
    expect(breaker.state).toBe('closed');
    clock.ms = 1_001;
    calls(1, 'late');
    expect(breaker.state).toBe('open');
  });

  it('opens when every other call fails', () => {
    const { breaker, call } = make();
    for (let pair = 0; pair < 10; pair++) {
      call('answered');
      call('failed');
    }
    expect(breaker.state).toBe('open');
  });

  it('does not count aborted calls', () => {
    const { breaker, calls } = make();
    calls(9, 'failed');
    calls(100, 'aborted');
    expect(breaker.state).toBe('closed');
    calls(1, 'failed');
    expect(breaker.state).toBe('open');
  });

  it.each([1, 10, 1_000])('is not tripped by one failure in ten, a call every %i ms', (pauseMs) => {
    const random = new SeededRandom(20);
    const { breaker, clock, call } = make();
    for (let count = 0; count < 5_000; count++) {
      clock.ms += pauseMs;
      call(random.below(10) === 0 ? 'failed' : 'answered');
      expect(breaker.state).toBe('closed');
    }
  });

  it('is not tripped when a few of many calls at once end late together', () => {
    const { breaker, clock, calls } = make();
    for (let second = 0; second < 60; second++) {
      calls(270, 'answered');
      calls(30, 'late');
      expect(breaker.state).toBe('closed');
      clock.ms += 1_000;
    }
  });

  it('lets one probe through after two seconds, and closes when it is answered', () => {
    const { breaker, clock, calls } = make();
    calls(10, 'late');
    clock.ms = 1_999;
    expect(breaker.begin()).toBeUndefined();
    clock.ms = 2_000;
    const probe = breaker.begin();
    expect(probe?.probe).toBe(true);
    expect(breaker.state).toBe('probing');
    expect(breaker.begin()).toBeUndefined();
    probe?.end('answered');
    expect(breaker.state).toBe('closed');
    calls(9, 'failed');
    expect(breaker.state).toBe('closed');
  });

  it('doubles its pause with each bad probe, to a minute, and begins anew once closed', () => {
    const { breaker, clock, calls } = make();
    calls(10, 'failed');
    for (const pause of [2, 4, 8, 16, 32, 60, 60, 60]) {
      clock.ms += pause * 1_000 - 1;
      expect(breaker.begin(), `before ${pause} s`).toBeUndefined();
      clock.ms += 1;
      const probe = breaker.begin();
      expect(probe?.probe, `after ${pause} s`).toBe(true);
      probe?.end(pause % 8 === 0 ? 'late' : 'failed');
      expect(breaker.state).toBe('open');
    }
    clock.ms += 60_000;
    breaker.begin()?.end('answered');
    calls(10, 'failed');
    clock.ms += 2_000;
    expect(breaker.begin()?.probe).toBe(true);
  });

  it('shortens its pauses by chance, never by more than a fifth', () => {
    const { breaker, clock, calls } = make(() => 0.999_999);
    calls(10, 'failed');
    clock.ms = 1_599;
    expect(breaker.begin()).toBeUndefined();
    clock.ms = 1_601;
    expect(breaker.begin()?.probe).toBe(true);
  });

  it('may probe again at once when a probe was aborted', () => {
    const { breaker, clock, calls } = make();
    calls(10, 'failed');
    clock.ms = 2_000;
    breaker.begin()?.end('aborted');
    expect(breaker.state).toBe('open');
    expect(breaker.begin()?.probe).toBe(true);
  });

  it('hears nothing from calls that began before it opened', () => {
    const { breaker, clock, calls } = make();
    const early = Array.from({ length: 30 }, () => breaker.begin());
    calls(10, 'failed');
    early.slice(0, 10).forEach((attempt) => attempt?.end('answered'));
    expect(breaker.state).toBe('open');
    clock.ms = 2_000;
    breaker.begin()?.end('answered');
    early.slice(10).forEach((attempt) => attempt?.end('late'));
    expect(breaker.state).toBe('closed');
  });
});
