import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { KnowledgeError } from '@cuecard/core';

import { CommandError } from './failure.js';

/** What a target on the command line turned out to be. */
export interface Target {
  readonly kind: 'config' | 'index' | 'documents';
  /** As it was given. */
  readonly path: string;
}

const configNames = ['ts', 'mts', 'js', 'mjs'].map((extension) => `cuecard.config.${extension}`);

/** Tells a config by its extension and an index by its manifest; all else is documents. */
export async function findTarget(path: string): Promise<Target> {
  const found = await stat(path).catch(() => undefined);
  if (/\.[cm]?[jt]s$/.test(path)) {
    if (!found?.isFile()) throw new CommandError('config-invalid', `there is no config '${path}'.`);
    return { kind: 'config', path };
  }
  if (!found) {
    const message = `there is nothing at '${path}'; name documents, an index or a config, and put a query in quotes.`;
    throw new KnowledgeError({ code: 'documents-missing', message });
  }
  return { kind: (await exists(join(path, 'manifest.json'))) ? 'index' : 'documents', path };
}

/** The config of the working directory. */
export async function findConfig(): Promise<Target> {
  const present = await Promise.all(configNames.map(exists));
  const path = configNames.find((_, at) => present[at]);
  if (path !== undefined) return { kind: 'config', path };
  const message = 'name documents, an index or a config; there is no cuecard.config.ts here.';
  throw new CommandError('usage-invalid', message);
}

/** A valid name for a base of these documents: `Über uns (2024)` gives `Uber-uns-2024`. */
export function baseName(path: string): string {
  const file = basename(resolve(path));
  const plain = file
    .replace(/\.(txt|md|pdf)$/i, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  const name = plain
    .replace(/[^a-z0-9_-]+/gi, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 64);
  return name.replace(/-+$/, '') || 'documents';
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
