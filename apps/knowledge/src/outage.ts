import { KnowledgeBase, type Logger } from '@cuecard/core';
import { openaiEmbedder } from '@cuecard/openai';
import { hashVector, startFakeOpenAI } from '@cuecard/testing';

import { clip, say } from './print.js';

const dimensions = 256;
const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const questions = [
  'how long do I have after the flight to ask for a refund',
  'which form do I need to get my money back',
  'do I get the fee back if the airline cancels',
  'how do I make a complaint',
] as const;

// It speaks OpenAI's protocol on this machine, so that it can be made to hang.
const server = await startFakeOpenAI({ vector: directionOf });
const refunds = new KnowledgeBase({
  name: 'refunds',
  documents: new URL('../refunds', import.meta.url),
  embed: () =>
    openaiEmbedder({ apiKey: 'test-key', baseURL: server.url, dimensions, maxRetries: 0 }),
  logger: quiet,
});
await refunds.start();
await refunds.lookUp('a first question, which loads the client', { deadlineMs: 10_000 });

say('The embedder is well.');
await ask(questions[0]);

say('\nThe embedder hangs: it takes every request and answers none.');
server.fault({ kind: 'hang' }, { times: 10 });
await ask(questions[1]);
say('\nNine more callers ask, each in their own words. Ten late calls open the breaker.');
await Promise.all(Array.from({ length: 9 }, (_, at) => refunds.lookUp(`${questions[1]} ${at}`)));
await ask(questions[2]);
say('\nWhat was asked before the outage is still answered in full.');
await ask(questions[0]);

say('\nThe embedder is well again. After two seconds a lookup tries it, and the next one uses it.');
await new Promise((resolve) => setTimeout(resolve, 2_000));
await ask(questions[2]);
await new Promise((resolve) => setTimeout(resolve, 200));
await ask(questions[3]);

await refunds.close();
await server.close();

async function ask(question: string): Promise<void> {
  const { results, degraded, cached, ms } = await refunds.search(question);
  const breaker = refunds.status().embedder?.breaker;
  const how = degraded ? `keywords alone, ${degraded}` : `keywords and meaning`;
  const kept = cached ? ', kept from before' : '';
  say(`  "${question}"`);
  say(`    ${ms.toFixed(1)} ms, ${how}${kept}, breaker ${breaker}`);
  for (const { source, text } of results.slice(0, 1)) say(`    ${source}: ${clip(text, 70)}`);
}

/** A text's direction is that of its words together: as much meaning as a stand-in needs. */
function directionOf(text: string): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? [''])
    hashVector(word, dimensions).forEach((value, at) => (sum[at] = (sum[at] ?? 0) + value));
  return sum;
}
