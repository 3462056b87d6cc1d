/**
 * What went wrong, for programs. Codes are stable; messages are for people and may change.
 *
 * | code | meaning |
 * | --- | --- |
 * | `options-invalid` | an option is wrong; `field` and `allowed` say which and what is allowed |
 * | `documents-missing` | a documents folder does not exist, or there is nothing to read from |
 * | `documents-empty` | the documents hold no text at all |
 * | `document-unreadable` | one document cannot be read; `document` and `reason` say which and why |
 * | `credential-missing` | the environment variable of `credentialEnv` is not set |
 * | `index-missing` | there is no baked index where one is required |
 * | `index-mismatch` | the index was baked for another base or with other settings |
 * | `index-corrupt` | a file of the index is damaged or missing |
 * | `index-unreadable` | a file of the index is there but cannot be opened or read, for want of permission most often |
 * | `index-newer` | the index was written by a newer version of this library |
 * | `index-unwritable` | the index could not be written |
 * | `index-busy` | another bake is at work on the same index, for longer than this one may wait |
 * | `embedder-failed` | the embedder failed while baking; `embedding` says how far it came |
 */
export type KnowledgeErrorCode =
  | 'options-invalid'
  | 'documents-missing'
  | 'documents-empty'
  | 'document-unreadable'
  | 'credential-missing'
  | 'index-missing'
  | 'index-mismatch'
  | 'index-corrupt'
  | 'index-unreadable'
  | 'index-newer'
  | 'index-unwritable'
  | 'index-busy'
  | 'embedder-failed';

/** Why a document cannot be read. */
export type UnreadableReason =
  | 'binary'
  | 'broken'
  | 'encrypted'
  | 'no-text-layer'
  | 'not-accessible'
  | 'unsupported';

/** What became of the passages of a bake. They add up to all of them. */
export interface EmbeddingCounts {
  /** Given to the embedder. */
  readonly embedded: number;
  /** Unchanged since the last bake, or embedded by one that did not end. */
  readonly reused: number;
  /** Left without a vector; 0 unless the bake failed. */
  readonly failed: number;
}

/** What a {@link KnowledgeError} is made of. */
export interface KnowledgeErrorDetails {
  readonly code: KnowledgeErrorCode;
  /** The whole message: what is wrong and how to mend it. */
  readonly message: string;
  /** Name of the base, when one is known. */
  readonly base?: string | undefined;
  /** `options-invalid`: the option that is wrong. */
  readonly field?: string | undefined;
  /** `options-invalid`: what that option allows, in words. */
  readonly allowed?: string | undefined;
  /** `document-unreadable`: the document's name inside its source, never a whole path. */
  readonly document?: string | undefined;
  /** `document-unreadable`: why. */
  readonly reason?: UnreadableReason | undefined;
  /** `embedder-failed` in a bake: how far it came. */
  readonly embedding?: EmbeddingCounts | undefined;
  readonly cause?: unknown;
}

const marker: symbol = Symbol.for('cuecard.KnowledgeError');

/**
 * Every failure of a base. Let the process stop on it: an agent that knows nothing should not take
 * calls. `instanceof` holds across two copies of this package.
 */
export class KnowledgeError extends Error {
  override readonly name: string = 'KnowledgeError';
  readonly code: KnowledgeErrorCode;
  readonly base: string | undefined;
  readonly field: string | undefined;
  readonly allowed: string | undefined;
  readonly document: string | undefined;
  readonly reason: UnreadableReason | undefined;
  readonly embedding: EmbeddingCounts | undefined;

  constructor(details: KnowledgeErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.base = details.base;
    this.field = details.field;
    this.allowed = details.allowed;
    this.document = details.document;
    this.reason = details.reason;
    this.embedding = details.embedding;
    Object.defineProperty(this, marker, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const isOurs = typeof value === 'object' && value !== null && marker in value;
    return (
      isOurs &&
      (this === KnowledgeError || Function.prototype[Symbol.hasInstance].call(this, value))
    );
  }
}

/** The same error, said of `base`; errors that are not ours pass through. */
export function withBase(error: unknown, base: string): unknown {
  return error instanceof KnowledgeError && error.base === undefined
    ? namedError(error, base)
    : error;
}

function namedError(error: KnowledgeError, base: string): KnowledgeError {
  const { code, field, allowed, document, reason, embedding, cause } = error;
  const message = `Base '${base}': ${error.message}`;
  const named = new KnowledgeError({
    code,
    message,
    base,
    field,
    allowed,
    document,
    reason,
    embedding,
    cause,
  });
  // It was thrown there, not here.
  if (error.stack !== undefined) named.stack = error.stack.replace(error.message, message);
  return named;
}

/** A wrong option; `allowed` says in words what it may be. */
export function invalidOption(field: string, allowed: string, base?: string): KnowledgeError {
  const message = `option '${field}' is not valid; allowed: ${allowed}.`;
  const error = new KnowledgeError({ code: 'options-invalid', message, field, allowed });
  return base === undefined ? error : namedError(error, base);
}
