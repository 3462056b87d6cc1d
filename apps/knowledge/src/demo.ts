import type { KnowledgeBase, Mode, SearchHit } from '@cuecard/core';

import { encoder, openBase } from './bases.js';
import { clip, say, since, wrap } from './print.js';

const refunds = openBase('refunds');
const luggage = openBase('luggage');
const fares = openBase('fares');
const bases = [refunds, luggage, fares, openBase('travel')];

const questions: readonly (readonly [KnowledgeBase, string])[] = [
  [refunds, 'i regret buying my saver ticket this morning, can i get my money back'],
  [luggage, 'how much is a dog in the cabin'],
  // The passage that answers has hardly a word of this.
  [fares, 'my boy is nine and flies by himself, what does that cost'],
];
const compared = 'i left my scarf on the plane, who has it if nobody collects it';
const modes: readonly Mode[] = ['keyword', 'meaning', 'hybrid'];

say(
  encoder === 'local'
    ? 'Encoder: an English one that runs in this process, without a key. Set OPENAI_API_KEY to use OpenAI.'
    : 'Encoder: OpenAI, because OPENAI_API_KEY is set. Documents and questions are sent there.',
);
await bake();
await start();
for (const [base, question] of questions) {
  // One after another, as a caller would ask.
  await ask(base, question);
}
await compare();
await Promise.all(bases.map((base) => base.close()));

async function bake(): Promise<void> {
  say('\nBake: once, when the image is built.');
  for (const base of bases) {
    const name = base.name.padEnd(8);
    const began = performance.now();
    const { counts, bytes } = await base.bake({
      onProgress({ phase, done, total }) {
        if (phase === 'embed') say(`  ${name} embedded ${done} of ${total} passages`);
      },
    });
    const held = `${counts.documents} documents, ${counts.passages} passages, ${Math.round(bytes / 1000)} kB`;
    say(`  ${name} ${held}, ${since(began)}`);
  }
}

async function start(): Promise<void> {
  const began = performance.now();
  await Promise.all(bases.map((base) => base.start()));
  say(`\nStart: once per process, ${bases.length} bases and the encoder in ${since(began)}.`);
}

async function ask(base: KnowledgeBase, question: string): Promise<void> {
  const { results, ms } = await base.search(question);
  say(`\n"${question}"  (${base.name}, ${ms.toFixed(1)} ms)`);
  for (const hit of results) say(`  ${hit.rank}. ${place(hit)}\n${wrap(hit.text, 92, '     ')}`);
}

/** One index serves all modes: three bases over it, one question. */
async function compare(): Promise<void> {
  say(`\nOne question in the three modes: "${compared}"`);
  for (const mode of modes) {
    const base = openBase('luggage', { mode });
    await base.start();
    const { results, ms } = await base.search(compared);
    await base.close();
    say(`\n  ${mode}, ${ms.toFixed(1)} ms`);
    for (const hit of results) say(`    ${hit.rank}. ${place(hit)}\n       ${clip(hit.text, 90)}`);
  }
}

function place({ source, heading, score, citation: { position } }: SearchHit): string {
  const page = position?.kind === 'page' ? `page ${position.start}` : undefined;
  const closeness = score === undefined ? undefined : `score ${score.toFixed(3)}`;
  return [source, heading, page, closeness].filter((part) => part !== undefined).join(' · ');
}
