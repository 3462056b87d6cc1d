import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { isAgent } from '@livekit/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import agent from '../src/agent.js';
import { bases } from '../src/bases.js';
import { calls, scriptedServer } from './support/call.js';

interface Ended {
  readonly code: unknown;
  readonly out: string;
  readonly errors: string;
}

/** Runs a built program with these lines as its input. Empty variables keep a `.env` out. */
async function run(program: string, environment: object, lines: readonly string[] = []) {
  const file = fileURLToPath(new URL(`../dist/${program}.js`, import.meta.url));
  const none = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: '' };
  const child = spawn(process.execPath, [file, 'start'], {
    env: { ...process.env, ...none, ...environment },
  });
  child.stdin.on('error', () => undefined).end(lines.map((line) => `${line}\n`).join(''));
  const [[code], out, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, errors } satisfies Ended;
}

describe('the chat', () => {
  beforeAll(async () => {
    for (const base of bases) await base.bake();
  }, 300_000);
  afterAll(async () => {
    await Promise.all(bases.map((base) => base.close()));
  });

  it('holds a call that is piped in, and ends well with its input', async () => {
    const server = await scriptedServer(
      calls('go_to_refunds'),
      calls('look_up_refunds', { query: 'refund of a saver ticket' }),
      { text: 'The airport charge comes back.' },
      { text: 'Eight pounds fifty.' },
    );
    const environment = { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.url };
    const lines = ['I want my saver ticket refunded.', '', 'How much is that?'];
    const { code, out } = await run('chat', environment, lines);
    expect(out.replaceAll(/\d+ ms/g, '0 ms')).toBe(`  [task] greet
Desk: Skerry Air, good day. How can I help you?
You:  I want my saver ticket refunded.
  [tool] go_to_refunds {} 0 ms
  [task] refunds
  [tool] look_up_refunds {"query":"refund of a saver ticket"} 0 ms
Desk: The airport charge comes back.
You:  
You:  How much is that?
Desk: Eight pounds fifty.
You:  
You hang up.
`);
    expect(code).toBe(0);
  });

  it('stops when the desk has ended the call, whatever is said after', async () => {
    const server = await scriptedServer(calls('end_call'), { text: 'Goodbye.' });
    const environment = { OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: server.url };
    const { code, out } = await run('chat', environment, ['Bye.', 'Are you there?']);
    expect(out).toMatch(/Desk: Goodbye\.\nThe call is over\.\n$/);
    expect(code).toBe(0);
  });

  it('shows why the model did not answer, and goes on', async () => {
    const server = await scriptedServer();
    const environment = { OPENAI_API_KEY: 'wrong-key', OPENAI_BASE_URL: server.url };
    const { code, out } = await run('chat', environment, ['Hello?', 'Hello?']);
    expect(out.match(/^ {2}\[error\] 401 Incorrect key/gm)).toHaveLength(2);
    expect(code).toBe(0);
  });

  it('says what to set where there is no model', async () => {
    const { code, out, errors } = await run('chat', {}, ['Hello?']);
    expect(errors).toMatch(/^The chat needs a model\..+ {2}OPENAI_API_KEY .+ {2}OPENAI_BASE_URL /s);
    expect(out).toBe('');
    expect(code).toBe(1);
  });
});

describe('the agent file', () => {
  it('gives LiveKit an agent, and starts no worker when it is imported', () => {
    expect(isAgent(agent)).toBe(true);
    expect(agent.prewarm).toBeTypeOf('function');
  });

  it('stops before it takes calls where there is no key', async () => {
    const { code, errors } = await run('agent', {});
    expect(errors).toContain('Set OPENAI_API_KEY');
    expect(code).toBe(1);
  });
});
