import { type BaseStatus, type KnowledgeBase, KnowledgeError } from '@cuecard/core';

import { logError } from './log-error.js';

/** How a base is doing, and why it could not be made ready. */
export interface KnowledgeStatus extends BaseStatus {
  /** What its start or reload threw, or that it took too long. */
  readonly error?: unknown;
}

/** LiveKit gives a process 10 s for fork, imports and prewarm together. */
const prewarmMs = 5_000;
/** A caller is waiting. */
const refreshMs = 1_000;

/**
 * For `defineAgent({ prewarm: prewarmKnowledge(refunds, luggage) })`: starts the bases of a job process before it
 * takes a call. A base that fails is logged and never throws, as LiveKit would start the process again without end;
 * its lookups answer `lookup unavailable`. What became of each stands in `proc.userData.knowledge`. A base that is
 * not there after 5 s goes on starting while calls come in.
 */
export function prewarmKnowledge(
  ...bases: readonly KnowledgeBase[]
): (process: { readonly userData: object }) => Promise<readonly KnowledgeStatus[]> {
  return async ({ userData }) => {
    const knowledge = await Promise.all(bases.map((base) => readied(base, prewarmMs)));
    Object.assign(userData, { knowledge });
    return knowledge;
  };
}

/**
 * For the beginning of a job: a process may have waited since before the last bake. Bases pick up new content, and
 * one whose start failed is started again. Never throws, and takes a second at most; what is not ready by then comes
 * later.
 */
export async function refreshKnowledge(
  ...bases: readonly KnowledgeBase[]
): Promise<readonly KnowledgeStatus[]> {
  return Promise.all(bases.map((base) => readied(base, refreshMs)));
}

async function readied(base: KnowledgeBase, limitMs: number): Promise<KnowledgeStatus> {
  const isReady = base.status().state === 'ready';
  const failed = (error: unknown, reason: string): KnowledgeStatus => {
    logError(`Base '${base.name}' could not be ${isReady ? 'reloaded' : 'started'}: ${reason}`);
    return { ...base.status(), error };
  };
  const work = async (): Promise<KnowledgeStatus> => {
    try {
      await (isReady ? base.reload() : base.start());
      return base.status();
    } catch (error) {
      return failed(error, error instanceof KnowledgeError ? error.message : 'unknown reason');
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<KnowledgeStatus>((resolve) => {
    const reason = `it took more than ${limitMs} ms; it goes on`;
    timer = setTimeout(() => resolve(failed(new Error(reason), reason)), limitMs);
  });
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
}
