import { availableParallelism } from 'node:os';

import { readRevision, readVocabulary } from './model-file.js';
import { DIMENSIONS, MAX_TOKENS } from './model-layout.js';
import { prepareText, Tokenizer } from './tokenizer.js';
import { Lease } from './worker-pool.js';

/** Options of `localEmbedder`. */
export interface LocalEmbedderOptions {
  /**
   * The most threads that encode passages: a whole number, 1 or more. Queries have one thread of their
   * own beside them. Embedders of one process share their threads; the greatest number counts.
   * Default: `os.availableParallelism()`.
   */
  readonly threads?: number;
}

/** A sentence encoder in worker threads of this process; an `Embedder` of `@cuecard/core`. */
export interface LocalEmbedder {
  readonly id: string;
  readonly dimensions: number;
  /** Changes with any byte of the model and with any change to how a text is prepared. */
  readonly revision: string;
  /** How far fusion trusts it against keywords: 0.33, measured. */
  readonly weight: number;
  readonly maxBatch: number;
  /** Tokens of one text; what follows is not read. */
  readonly maxTokens: number;
  readonly languages: readonly string[];
  /** Length of a text in tokens. The first call reads the vocabulary, in this thread: for a bake, not for a lookup. */
  countTokens(text: string): number;
  /**
   * One unit vector a text, in order, each in a buffer of its own. Letter case and kind of white space
   * make no difference. A blank text gives (1, 0, 0, …), which is close to no text. The same text gives
   * the same bytes, alone or among others. The first call starts the threads it needs.
   *
   * Rejects with the signal's reason as soon as it aborts; with a `RangeError` for more than `maxBatch`
   * texts; with an `Error` when the model is damaged, a thread stops, or the embedder is closed.
   */
  embed(
    texts: readonly string[],
    options: { readonly kind: 'query' | 'passage'; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]>;
  /** Starts the thread for queries and runs it in, so that the first query takes no longer than others. */
  warmUp(): Promise<void>;
  /**
   * Rejects what is under way and gives the threads back; they end when no other embedder of the
   * process uses them. A later `embed` starts them again.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const MAX_BATCH = 64;
const WARM_UP_TEXTS: readonly string[] = Array.from({ length: 16 }, () => 'What are you open on?');

/**
 * A local embedder: English, 512 dimensions, no key and no network. Embedders of one process share
 * their threads, which never keep the process alive by themselves.
 *
 * Throws a `RangeError` for an invalid `threads`, and an `Error` when the package's files are damaged.
 */
export function localEmbedder(options: LocalEmbedderOptions = {}): LocalEmbedder {
  const threads = options.threads ?? availableParallelism();
  if (!Number.isSafeInteger(threads) || threads < 1) {
    throw new RangeError('threads must be a whole number, 1 or more.');
  }
  const model = new URL('./model/', import.meta.url);
  const revision = readRevision(model);
  let tokenizer: Tokenizer | undefined;
  let lease: Lease | undefined;

  const embed: LocalEmbedder['embed'] = async (texts, { kind, signal }) => {
    if (texts.length > MAX_BATCH) {
      throw new RangeError(`embed takes at most ${MAX_BATCH} texts; it was given ${texts.length}.`);
    }
    lease ??= new Lease(threads);
    return lease.encode(texts, kind, signal);
  };
  const close = async (): Promise<void> => {
    const closing = lease;
    lease = undefined;
    await closing?.close();
  };

  return {
    id: 'use-lite',
    dimensions: DIMENSIONS,
    revision,
    weight: 0.33,
    maxBatch: MAX_BATCH,
    maxTokens: MAX_TOKENS,
    languages: ['en'],
    countTokens: (text) => {
      tokenizer ??= new Tokenizer(readVocabulary(model));
      return tokenizer.encode(prepareText(text), Number.MAX_SAFE_INTEGER).length;
    },
    embed,
    warmUp: async () => {
      await embed(WARM_UP_TEXTS, { kind: 'query' });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
