import * as v from 'valibot';

import type { Source } from './documents/source.js';
import type { Embedder } from './embedder.js';
import { invalidOption, type KnowledgeError } from './errors.js';
import type { Logger } from './logger.js';
import type { Fusion } from './lookup/fuse.js';
import type { LookupEvent } from './lookup/lookup-event.js';
import type { Rerank } from './lookup/rerank.js';
import type { Mode } from './mode.js';

/** Where artefacts live while a base runs. */
export type Storage = 'mapped' | 'memory';

/** A folder (or one file) as a path or file URL, or any {@link Source}. */
export type Documents = string | URL | Source;

/** Options of a `KnowledgeBase`. */
export interface KnowledgeBaseOptions {
  /** Name of the base: 1–64 of `A–Z a–z 0–9 _ -`, starting with a letter or digit. Seen in logs and errors. */
  readonly name: string;
  /** Who the base belongs to where one process serves several; part of its identity. 1–128 characters. */
  readonly tenant?: string | undefined;
  /** What the base is about, in a sentence; a model reads it. Default: none. */
  readonly description?: string | undefined;
  /** The documents. Needed to bake and to start without an index; not needed to start from an index. */
  readonly documents?: Documents | readonly Documents[] | undefined;
  /** Folder of the baked index. Omitted: the base never bakes, each process builds its own index in memory. */
  readonly indexDir?: string | URL | undefined;
  /** Default: `hybrid` with `embed`, else `keyword`. */
  readonly mode?: Mode | undefined;
  /** Longest passage, in cl100k tokens: 1–2048. Default 90, about 65 English words. */
  readonly chunkSize?: number | undefined;
  /** How much of a passage the next one may repeat, in tokens: 0–`chunkSize`. Default 20. */
  readonly chunkOverlap?: number | undefined;
  /** Language of the documents, an ISO 639-1 code such as `en`; `auto` detects it at bake. Default `auto`. */
  readonly language?: string | undefined;
  /** The most passages a lookup returns: 1–20. Default 3. */
  readonly topK?: number | undefined;
  /** Meaning hits below this cosine similarity are dropped: 0–1. Default 0; must be 0 in keyword mode. */
  readonly minScore?: number | undefined;
  /** Makes the embedder; called at bake and at start. Needed unless the mode is `keyword`, refused there. */
  readonly embed?: (() => Embedder) | undefined;
  /** How a hybrid base joins its halves. Default `weighted`. */
  readonly fusion?: Fusion | undefined;
  /** Puts the best candidates of a lookup into a better order; at most 20 are offered. Default: none. */
  readonly rerank?: Rerank | undefined;
  /** Environment variable that must be set at bake and at start, for example `OPENAI_API_KEY`. */
  readonly credentialEnv?: string | undefined;
  /** The longest a lookup takes, in milliseconds: 1–60000. Then keywords answer. Default 600. */
  readonly deadlineMs?: number | undefined;
  /**
   * How many embeddings of queries, and how many results, are kept for the next who asks the same: 0–100000. Up
   * to twice as many may be held. Default 500; 0 keeps none. Lookups by keyword alone take microseconds, and use none.
   */
  readonly cacheSize?: number | undefined;
  /** `mapped` reads passages from the file as needed; `memory` holds them, for deployments that rewrite files in place. Default `mapped`. */
  readonly storage?: Storage | undefined;
  /** Compare the documents with the index at start; costs reading them all. Default `false`. */
  readonly verifyDocuments?: boolean | undefined;
  /**
   * Takes a newly baked index into use while the base runs. `true` looks at the index every 2,000 ms, a number as
   * often as it says: 100–3,600,000 ms. Needs `indexDir`. Default `false`.
   */
  readonly watch?: boolean | number | undefined;
  /** Default `console`. */
  readonly logger?: Logger | undefined;
  /** Told of each lookup: counts and times, never text. */
  readonly onLookup?: ((event: LookupEvent) => unknown) | undefined;
}

/** Options with every default filled in. */
export interface ResolvedOptions {
  readonly name: string;
  readonly tenant: string | undefined;
  readonly description: string;
  readonly documents: readonly Documents[];
  readonly indexDir: string | URL | undefined;
  readonly mode: Mode;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  readonly language: string;
  readonly topK: number;
  readonly minScore: number;
  readonly embed: (() => Embedder) | undefined;
  readonly fusion: Fusion;
  readonly rerank: Rerank | undefined;
  readonly credentialEnv: string | undefined;
  readonly deadlineMs: number;
  readonly cacheSize: number;
  readonly storage: Storage;
  readonly verifyDocuments: boolean;
  /** Milliseconds from look to look; `undefined`: none. */
  readonly watch: number | undefined;
  readonly logger: Logger;
  readonly onLookup: ((event: LookupEvent) => unknown) | undefined;
}

const mostResults = 20;
const longestDeadline = 60_000;
const usualWatchMs = 2_000;
const watchAllowed = 'true, false or a whole number from 100 to 3600000 milliseconds';

const whole = (min: number, max: number, unit = '') => {
  const allowed = `a whole number from ${min} to ${max}${unit}`;
  return v.pipe(
    v.number(allowed),
    v.integer(allowed),
    v.minValue(min, allowed),
    v.maxValue(max, allowed),
  );
};
const text = (pattern: RegExp, allowed: string) =>
  v.pipe(v.string(allowed), v.regex(pattern, allowed));
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isPlace = (value: unknown): boolean =>
  value instanceof URL ? value.protocol === 'file:' : typeof value === 'string' && value !== '';
const isDocuments = (value: unknown): boolean =>
  isPlace(value) ||
  (typeof value === 'object' && value !== null && 'entries' in value && isFunction(value.entries));
const isLogger = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['debug', 'info', 'warn', 'error'].every(
    (level) => level in value && isFunction(Reflect.get(value, level)),
  );

const documentsAllowed = 'a folder (path or file URL), a Source, or a list of them';
const documents = v.custom<Documents>(isDocuments, documentsAllowed);
const indexDir = v.custom<string | URL>(isPlace, 'a folder as a path or file URL');

const schema = v.strictObject({
  name: text(
    /^[a-z0-9][a-z0-9_-]{0,63}$/i,
    '1 to 64 letters, digits, _ or -, starting with a letter or digit',
  ),
  tenant: v.optional(text(/^[^\p{C}]{1,128}$/u, '1 to 128 printable characters')),
  description: v.optional(v.string('a string'), ''),
  documents: v.optional(v.union([v.array(documents), documents], documentsAllowed), []),
  indexDir: v.optional(indexDir),
  mode: v.optional(
    v.picklist(['meaning', 'keyword', 'hybrid'], "'meaning', 'keyword' or 'hybrid'"),
  ),
  chunkSize: v.optional(whole(1, 2048, ' tokens'), 90),
  chunkOverlap: v.optional(whole(0, 2048, ' tokens')),
  language: v.optional(
    text(/^(auto|[a-z]{2})$/, "'auto' or an ISO 639-1 code such as 'en'"),
    'auto',
  ),
  topK: v.optional(whole(1, mostResults), 3),
  minScore: v.optional(
    v.pipe(
      v.number('a number from 0 to 1'),
      v.minValue(0, 'a number from 0 to 1'),
      v.maxValue(1, 'a number from 0 to 1'),
    ),
    0,
  ),
  embed: v.optional(v.custom<() => Embedder>(isFunction, 'a function that returns an embedder')),
  fusion: v.optional(
    v.picklist(['weighted', 'interleave', 'rrf'], "'weighted', 'interleave' or 'rrf'"),
    'weighted',
  ),
  rerank: v.optional(v.custom<Rerank>(isFunction, 'a function')),
  credentialEnv: v.optional(
    text(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable'),
  ),
  deadlineMs: v.optional(whole(1, longestDeadline, ' milliseconds'), 600),
  cacheSize: v.optional(whole(0, 100_000), 500),
  storage: v.optional(v.picklist(['mapped', 'memory'], "'mapped' or 'memory'"), 'mapped'),
  verifyDocuments: v.optional(v.boolean('true or false'), false),
  watch: v.optional(
    v.union([v.boolean(), whole(100, 3_600_000, ' milliseconds')], watchAllowed),
    false,
  ),
  logger: v.optional(
    v.custom<Logger>(isLogger, 'an object with debug, info, warn and error'),
    console,
  ),
  onLookup: v.optional(v.custom<(event: LookupEvent) => unknown>(isFunction, 'a function')),
});

/** Checks options and fills in defaults; a wrong one throws `options-invalid` with `field` and `allowed`. */
export function resolveOptions(options: KnowledgeBaseOptions): ResolvedOptions {
  const parsed = v.safeParse(schema, options, { abortEarly: true });
  if (!parsed.success) throw schemaError(options, parsed.issues[0]);
  const given = parsed.output;
  const mode = given.mode ?? (given.embed ? 'hybrid' : 'keyword');
  const chunkOverlap = given.chunkOverlap ?? Math.min(20, given.chunkSize);
  const fail = (field: string, allowed: string): never => {
    throw invalidOption(field, allowed, given.name);
  };
  if (chunkOverlap > given.chunkSize) fail('chunkOverlap', `0 to chunkSize (${given.chunkSize})`);
  if (mode === 'keyword') {
    if (given.embed) fail('embed', "nothing in keyword mode; omit it, or use mode 'hybrid'");
    if (given.minScore !== 0)
      fail('minScore', '0 in keyword mode: keyword hits have no similarity');
  } else if (!given.embed) fail('embed', `a function that returns an embedder in ${mode} mode`);
  const list = Array.isArray(given.documents) ? given.documents : [given.documents];
  if (given.verifyDocuments && list.length === 0)
    fail('verifyDocuments', 'false without documents to compare with');
  if (given.watch !== false && given.indexDir === undefined)
    fail('watch', 'false without an indexDir to watch');
  if (list.length === 0 && given.indexDir === undefined)
    fail('documents', 'a folder or Source, unless indexDir names a baked index');
  return {
    ...given,
    tenant: given.tenant,
    indexDir: given.indexDir,
    embed: given.embed,
    rerank: given.rerank,
    credentialEnv: given.credentialEnv,
    onLookup: given.onLookup,
    watch: watchMs(given.watch),
    documents: list,
    mode,
    chunkOverlap,
  };
}

function watchMs(watch: boolean | number): number | undefined {
  if (typeof watch === 'number') return watch;
  return watch ? usualWatchMs : undefined;
}

/** A deadline given to one lookup, brought inside its range. */
export function clampDeadline(asked: number): number {
  return Math.min(longestDeadline, Math.max(1, Math.trunc(asked) || 1));
}

/** A `topK` given to one lookup, brought inside its range. */
export function clampTopK(asked: number): number {
  return Math.min(mostResults, Math.max(1, Math.trunc(asked) || 1));
}

function schemaError(options: unknown, issue: v.BaseIssue<unknown>): KnowledgeError {
  const name =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'name') : undefined;
  const field = v.getDotPath(issue)?.split('.')[0] ?? 'options';
  const allowed = allowedBy(issue);
  return invalidOption(field, allowed, typeof name === 'string' ? name : undefined);
}

function allowedBy(issue: v.BaseIssue<unknown>): string {
  if (issue.type !== 'strict_object') return issue.message;
  if (issue.expected === 'never') return `one of ${Object.keys(schema.entries).join(', ')}`;
  return issue.input === undefined ? 'a value; it is required' : 'an object of options';
}
