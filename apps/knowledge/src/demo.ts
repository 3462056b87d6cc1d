import { stdout } from 'node:process';

import type { KnowledgeBase, SearchHit } from '@cuecard/core';

import { bases, fares, luggage, refunds } from './bases.js';

const questions: readonly (readonly [KnowledgeBase, string])[] = [
  [refunds, 'can i get a refund on a saver ticket'],
  [luggage, 'how much is a dog in the cabin'],
  [fares, 'what is the change fee for SV14'],
];

await bake();
await start();
for (const [base, question] of questions) {
  // One after another, as a caller would ask.
  await ask(base, question);
}
await Promise.all(bases.map((base) => base.close()));

async function bake(): Promise<void> {
  say('Bake: once, when the image is built.');
  for (const base of bases) {
    const began = performance.now();
    const { counts, bytes } = await base.bake();
    const held = `${counts.documents} documents, ${counts.passages} passages, ${Math.round(bytes / 1024)} KB`;
    say(`  ${base.name.padEnd(8)} ${held}, ${since(began)}`);
  }
}

async function start(): Promise<void> {
  const began = performance.now();
  await Promise.all(bases.map((base) => base.start()));
  say(`\nStart: once per process, ${bases.length} bases in ${since(began)}.`);
}

async function ask(base: KnowledgeBase, question: string): Promise<void> {
  const { results, ms } = await base.search(question);
  say(`\n"${question}"  (${base.name}, ${ms.toFixed(1)} ms)`);
  for (const hit of results) say(passage(hit));
}

function passage({ rank, text, source, heading, citation: { position } }: SearchHit): string {
  const page = position?.kind === 'page' ? `page ${position.start}` : undefined;
  const where = [source, heading, page].filter((part) => part !== undefined).join(' · ');
  return `  ${rank}. ${where}\n${wrap(text, 92, '     ')}`;
}

function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    let open = '';
    for (const word of line.split(' ')) {
      if (open !== '' && open.length + word.length >= width) {
        lines.push(open);
        open = '';
      }
      open += open === '' ? word : ` ${word}`;
    }
    lines.push(open);
  }
  return lines.map((line) => indent + line).join('\n');
}

function since(began: number): string {
  return `${(performance.now() - began).toFixed(0)} ms`;
}

function say(line: string): void {
  stdout.write(`${line}\n`);
}
