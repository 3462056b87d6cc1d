import { resolve } from 'node:path';

import { KnowledgeError, type KnowledgeBase } from '@cuecard/core';

import { CommandError } from './failure.js';

const methods = ['bake', 'start', 'search', 'check', 'inspect', 'close'] as const;

/** A base by its methods: a config's may come from another copy of the library. */
export type Base = Pick<KnowledgeBase, 'name' | 'tenant' | (typeof methods)[number]>;

const form = `its default export must be what defineKnowledge returns:

  import { defineKnowledge, KnowledgeBase } from '@cuecard/core';

  const refunds = new KnowledgeBase({ name: 'refunds', … });
  export default defineKnowledge({ bases: [refunds] });`;

/** The bases of a config, TypeScript or JavaScript; with `only`, those of that name. */
export async function loadConfig(path: string, only: string | undefined): Promise<readonly Base[]> {
  const bases = basesOf(await importConfig(path));
  if (!bases) throw new CommandError('config-invalid', `'${path}' is not a config; ${form}`);
  const chosen = only === undefined ? bases : bases.filter(({ name }) => name === only);
  if (chosen.length > 0) return chosen;
  const names = bases.map(({ name }) => name).join(', ');
  throw new CommandError('usage-invalid', `'${path}' has no base '${only}'; it has ${names}.`);
}

async function importConfig(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  try {
    const jiti = createJiti(import.meta.url, { fsCache: false });
    return await jiti.import(resolve(path), { default: true });
  } catch (error) {
    if (error instanceof KnowledgeError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError('config-invalid', `'${path}' cannot be loaded: ${why}`, error);
  }
}

function basesOf(config: unknown): readonly Base[] | undefined {
  if (typeof config !== 'object' || config === null || !('bases' in config)) return undefined;
  const { bases } = config;
  return Array.isArray(bases) && bases.length > 0 && bases.every(isBase) ? bases : undefined;
}

function isBase(value: unknown): value is Base {
  if (typeof value !== 'object' || value === null) return false;
  const has = (method: string): boolean => typeof Reflect.get(value, method) === 'function';
  return typeof Reflect.get(value, 'name') === 'string' && methods.every(has);
}
