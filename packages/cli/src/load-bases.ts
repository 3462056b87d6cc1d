import { KnowledgeBase, type Logger } from '@cuecard/core';

import { CommandError } from './failure.js';
import { baseName, findConfig, findTarget } from './find-target.js';
import { loadConfig, type Base } from './load-config.js';
import { settingsForDocuments, settingsForIndex, type SearchOptions } from './search-settings.js';

/** Options of every command. */
export interface CommonOptions extends SearchOptions {
  readonly index?: string;
  readonly base?: string;
  readonly json?: boolean;
}

/** Options of `cuecard bake`; the settings are those that a config would hold. */
export interface BakeOptions extends CommonOptions {
  readonly name?: string;
  readonly tenant?: string;
  readonly chunkSize?: number;
  readonly chunkOverlap?: number;
  readonly language?: string;
  readonly fresh?: boolean;
  readonly quiet?: boolean;
}

const warn = (message: string): void => void process.stderr.write(`warning: ${message}\n`);

/** A process that has just begun first loads its client and connects. Nobody is on the line. */
const deadlineMs = 10_000;

const logger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn,
  error: (message) => void process.stderr.write(`error: ${message}\n`),
};

const common = { logger, deadlineMs } as const;

/** What a command wants of the bases it reads. */
interface Wish {
  /** Documents alone will not do. */
  readonly needIndex?: boolean;
  /** Queries will come: use the embedder that an index was baked with, where it can be had. */
  readonly toSearch?: boolean;
}

/** Bases of a config, of an index or, unless they `needIndex`, of documents alone. */
export async function basesToRead(
  path: string | undefined,
  { index, base, mode, embedder }: CommonOptions,
  { needIndex = false, toSearch = false }: Wish = {},
): Promise<readonly Base[]> {
  const named = path === undefined ? undefined : await findTarget(path);
  const target = named ?? (index === undefined ? await findConfig() : undefined);
  if (target?.kind === 'config') {
    refuse({ index }, 'does not go with a config, which says where its indexes are');
    refuse({ mode, embedder }, 'does not go with a config, which says how to search');
    return loadConfig(target.path, base);
  }
  refuse({ base }, 'goes with a config only');
  if (target?.kind === 'index') refuse({ index }, `does not go with '${path}', which is an index`);
  const indexDir = target?.kind === 'index' ? target.path : index;
  const documents = target?.kind === 'documents' ? target.path : undefined;
  if (indexDir !== undefined) {
    const settings = await settingsForIndex(indexDir, { mode, embedder }, toSearch, warn);
    return [await KnowledgeBase.fromIndex(indexDir, { documents, ...common, ...settings })];
  }
  if (needIndex) throw wrongUse(`'${path}' is not an index; name its index with --index.`);
  const settings = await settingsForDocuments({ mode, embedder });
  return [
    new KnowledgeBase({ name: baseName(documents ?? ''), documents, ...common, ...settings }),
  ];
}

/** Bases of a config, or one of documents with the settings of the command line. */
export async function basesToBake(
  path: string | undefined,
  { base, index, json: _json, fresh: _fresh, quiet: _quiet, ...settings }: BakeOptions,
): Promise<readonly Base[]> {
  const target = path === undefined ? await findConfig() : await findTarget(path);
  if (target.kind === 'config') {
    refuse({ index, ...settings }, 'goes with documents; a config has its own settings');
    return loadConfig(target.path, base);
  }
  refuse({ base }, 'goes with a config only');
  if (index === undefined) throw wrongUse(`--index is needed: the folder to bake '${path}' into.`);
  const { name = baseName(target.path), mode, embedder, ...rest } = settings;
  const search = await settingsForDocuments({ mode, embedder });
  const where = { documents: target.path, indexDir: index, logger };
  return [new KnowledgeBase({ ...rest, ...search, ...where, name })];
}

/** Uses bases and closes every one of them, however it ends. */
export async function withBases<Result>(
  bases: readonly Base[],
  use: (bases: readonly Base[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(bases);
  } finally {
    await Promise.allSettled(bases.map((base) => base.close()));
  }
}

/** What tells a base from the others of its config. */
export function identity({ name, tenant }: Base): { base: string; tenant?: string } {
  return { base: name, ...(tenant === undefined ? {} : { tenant }) };
}

function refuse(options: Readonly<Record<string, unknown>>, why: string): void {
  const given = Object.keys(options).find((option) => options[option] !== undefined);
  if (given === undefined) return;
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw wrongUse(`--${flag} ${why}.`);
}

function wrongUse(message: string): CommandError {
  return new CommandError('usage-invalid', message);
}
