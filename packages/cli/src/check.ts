import { KnowledgeError, type IndexCheck, type IndexState } from '@cuecard/core';

import { exitCodes } from './exit-codes.js';
import { basesToRead, identity, withBases, type CommonOptions } from './load-bases.js';
import { perBase, type Report } from './output.js';

/** A check and the base it is of; a manifest that cannot be read names none. */
type BaseCheck = IndexCheck & { readonly base?: string };

/** Compares the index of every base of the target with its base and documents. */
export async function check(path: string | undefined, options: CommonOptions): Promise<Report> {
  const checks = await checkAll(path, options).catch((error: unknown) => [unopened(error)]);
  const sound = checks.every(({ state }) => state === 'fresh' || state === 'unknown');
  const exitCode = sound ? exitCodes.done : exitCodes.failed;
  return { json: perBase(checks), lines: checks.flatMap(checkLines), exitCode };
}

async function checkAll(path: string | undefined, options: CommonOptions): Promise<BaseCheck[]> {
  return withBases(await basesToRead(path, options, { needIndex: true }), (bases) =>
    Promise.all(bases.map(async (base) => ({ ...identity(base), ...(await base.check()) }))),
  );
}

const states: ReadonlyMap<string, IndexState> = new Map([
  ['index-missing', 'missing'],
  ['index-corrupt', 'corrupt'],
  ['index-unreadable', 'unreadable'],
  ['index-newer', 'newer'],
]);

/** What is found where not even the manifest can be opened. */
function unopened(error: unknown): BaseCheck {
  const state = error instanceof KnowledgeError ? states.get(error.code) : undefined;
  if (!state || !(error instanceof KnowledgeError)) throw error;
  return { state, detail: error.message, added: [], removed: [], changed: [] };
}

function checkLines({ base, state, detail, added, removed, changed }: BaseCheck): string[] {
  return [
    `${base === undefined ? '' : `${base}: `}${state} — ${detail}`,
    ...added.map((name) => `  + ${name}`),
    ...removed.map((name) => `  - ${name}`),
    ...changed.map((name) => `  ~ ${name}`),
  ];
}
