import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import type { KnowledgeBase, SearchOutcome } from '@cuecard/core';

import { bakeEdition, publishEdition, soakBase, type Edition } from './soak/editions.js';
import { judgeSoak, type SoakRun } from './soak/report.js';
import { takeSample, type Sample } from './soak/samples.js';
import { makePassages, makeQuestions } from './speed/corpus.js';
import { timed } from './speed/measuring.js';
import { clusteredVectors } from './vectors/clustered-vectors.js';

const documents = new URL('../../knowledge/', import.meta.url);
const passageCount = 1_000;
const questionCount = 500;
const dimensions = 512;
const atOnce = 8;
const reloadEveryMs = 1_000;
const marks = ['EditionAlpha', 'EditionBravo'] as const;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { lookups: { type: 'string', default: '200000' } } });
  const folder = await mkdtemp(join(tmpdir(), 'cuecard-soak-'));
  try {
    const passages = await makePassages(documents, passageCount);
    const vectors = clusteredVectors(dimensions, passageCount, questionCount);
    const editions: Edition[] = [];
    for (const mark of marks) {
      console.error(`baking ${mark}`);
      editions.push(await bakeEdition(mark, passages, vectors, join(folder, mark)));
    }
    const served = join(folder, 'served');
    const [first] = editions;
    if (first) await publishEdition(first, served);
    const base = soakBase(served, vectors);
    await base.start();
    const soak = new Soak(base, editions, makeQuestions(passages, questionCount));
    const run = await soak.run(Number(values.lookups), served);
    await base.close();
    const { text, missed } = judgeSoak(run);
    console.log(text);
    return missed === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lookups, several at once, while the index is replaced again and again. */
class Soak {
  readonly #base: KnowledgeBase;
  readonly #editions: readonly Edition[];
  readonly #questions: readonly string[];
  readonly #began: number = performance.now();
  #begun = 0;
  #ended = 0;
  #wrong = 0;
  #failed = 0;
  #straddling = 0;

  constructor(base: KnowledgeBase, editions: readonly Edition[], questions: readonly string[]) {
    this.#base = base;
    this.#editions = editions;
    this.#questions = questions;
  }

  async run(lookups: number, served: string): Promise<SoakRun> {
    const asking = Array.from({ length: atOnce }, () => this.#ask(lookups));
    const samples: Sample[] = [];
    const reloadMs: number[] = [];
    while (this.#ended < lookups) {
      const next = this.#editions[(reloadMs.length + 1) % this.#editions.length];
      if (!next) break;
      await publishEdition(next, served);
      const { ms, value: changed } = await timed(() => this.#base.reload());
      if (!changed) throw new Error('a reload did not take the new index');
      reloadMs.push(ms);
      samples.push(await takeSample(this.#began));
      if (reloadMs.length % 10 === 0) console.error(`${this.#ended} lookups`);
      await setTimeout(reloadEveryMs - ms);
    }
    await Promise.all(asking);
    const [wrong, failed, straddling] = [this.#wrong, this.#failed, this.#straddling];
    return { lookups, reloads: reloadMs.length, wrong, failed, straddling, reloadMs, samples };
  }

  async #ask(lookups: number): Promise<void> {
    while (this.#begun < lookups) {
      const number = this.#begun++;
      // Its number makes it a question of its own, which no cache has answered.
      const question = `${this.#questions[number % this.#questions.length]} ${number}`;
      this.#judge(await this.#base.search(question));
      this.#ended++;
      // An embedder that answers at once would keep everything else from having a turn.
      await setImmediate();
    }
  }

  #judge({ generation, results }: SearchOutcome): void {
    const edition = this.#editions.find((each) => each.generation === generation);
    if (!edition || results.length === 0) this.#failed++;
    else if (!results.every(({ text }) => text.startsWith(edition.mark))) this.#wrong++;
    if (generation !== this.#base.status().generation) this.#straddling++;
  }
}

process.exitCode = await main();
