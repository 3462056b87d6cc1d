import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

import { KnowledgeBase, type KnowledgeBaseOptions, type Logger } from '@cuecard/core';
import { openaiEmbedder } from '@cuecard/openai';

import { makePassages, makeQuestions } from '../speed/corpus.js';
import { passagesSource } from '../speed/cuecard-engine.js';
import { delayOf } from '../vectors/sample-lookup.js';
import { type EmbeddingsServer, startEmbeddingsServer } from './embeddings-server.js';

/** One lookup among many. */
export interface Lookup {
  readonly ms: number;
  readonly thrown: boolean;
  /** Answered by keywords alone, and why. */
  readonly degraded: string | undefined;
  readonly hits: number;
  /** The server answered the request for this lookup's query, or there was none. */
  readonly healthy: boolean;
  /** How many passages keywords find. */
  readonly keywordHits: number;
}

/** What is measured, and how. */
export interface DeadAirPlan {
  readonly lookups: number;
  readonly concurrency: number;
  readonly deadlineMs: number;
  /** Share of the embedder's calls that never end, and of those that fail. */
  readonly hanging: number;
  readonly failing: number;
}

export interface DeadAir {
  readonly lookups: readonly Lookup[];
  /** Milliseconds by which a timer of one millisecond was late, 99 in 100 times at most. */
  readonly delay: number;
  readonly idleDelay: number;
  /** State of the breaker at the end. */
  readonly breaker: string;
  readonly inFlight: number;
}

interface Asked extends Omit<Lookup, 'healthy' | 'keywordHits'> {
  readonly question: string;
}

const passageCount = 300;
const warmUps = 100;
const patient = { deadlineMs: 30_000 } as const;
/** They do not all begin in one moment. */
const betweenCallersMs = 10;
const idleMs = 3_000;
const seed = 4;
const quiet: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Lookups, no two for the same words, while the embedder's server lets some requests hang and some fail. */
export async function measureDeadAir(knowledge: URL, plan: DeadAirPlan): Promise<DeadAir> {
  const passages = await makePassages(knowledge, passageCount);
  const questions = makeQuestions(passages, plan.lookups + warmUps).map(
    (question, at) => `${question}, call ${at}`,
  );
  const server = await startEmbeddingsServer();
  try {
    const base = await startBase(passages, {
      // A client that asks again by itself would make two requests of one call.
      embed: () => openaiEmbedder({ apiKey: 'test-key', baseURL: server.url, maxRetries: 0 }),
      deadlineMs: plan.deadlineMs,
      cacheSize: 0,
    });
    const plain = await startBase(passages, {});
    return await measure(base, plain, server, questions, plan);
  } finally {
    server.close();
  }
}

async function measure(
  base: KnowledgeBase,
  plain: KnowledgeBase,
  server: EmbeddingsServer,
  questions: readonly string[],
  plan: DeadAirPlan,
): Promise<DeadAir> {
  // The first calls load the client.
  for (const question of questions.slice(0, warmUps)) await base.search(question, patient);
  const idleDelay = await delayOf(() => wait(idleMs));
  await server.goWrong({ hanging: plan.hanging, failing: plan.failing, seed });
  const before = base.status().embedder?.calls ?? 0;
  const asked: Asked[] = [];
  const delay = await delayOf(async () => {
    asked.push(...(await askAll(base, questions.slice(warmUps), plan.concurrency)));
  });
  const { breaker = 'none', inFlight = 0, calls = 0 } = base.status().embedder ?? {};
  if (calls - before > plan.lookups) throw new Error('one call a lookup was expected');
  const answered = await server.answered();
  const lookups: Lookup[] = [];
  for (const { question, ...lookup } of asked) {
    const { results } = await plain.search(question);
    const healthy = answered.has(question) || lookup.degraded === 'embedder-paused';
    lookups.push({ ...lookup, healthy, keywordHits: results.length });
  }
  await Promise.all([base.close(), plain.close()]);
  return { lookups, delay, idleDelay, breaker, inFlight };
}

async function startBase(
  passages: readonly string[],
  options: Partial<KnowledgeBaseOptions>,
): Promise<KnowledgeBase> {
  const documents = passagesSource(passages);
  const base = new KnowledgeBase({
    name: 'bench',
    language: 'en',
    documents,
    logger: quiet,
    ...options,
  });
  await base.start();
  return base;
}

/** Asks every question once, so many at a time. */
async function askAll(
  base: KnowledgeBase,
  questions: readonly string[],
  concurrency: number,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const queue = questions.values();
  const ask = async (caller: number): Promise<void> => {
    await wait(caller * betweenCallersMs);
    for (const question of queue) {
      // Callers are heard through the event loop. Without a turn of it, answers that need none would starve the others.
      await nextTurn();
      asked.push(await askOne(base, question));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, caller) => ask(caller)));
  return asked;
}

async function askOne(base: KnowledgeBase, question: string): Promise<Asked> {
  const began = performance.now();
  try {
    const { degraded, results } = await base.search(question);
    const ms = performance.now() - began;
    return { question, ms, thrown: false, degraded, hits: results.length };
  } catch {
    return { question, ms: performance.now() - began, thrown: true, degraded: undefined, hits: 0 };
  }
}
