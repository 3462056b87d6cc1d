import { KnowledgeError } from '../errors.js';

/** A damaged index; `what` says what is wrong with it. */
export function corrupt(what: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError({
    code: 'index-corrupt',
    message: `the index is damaged: ${what}. Bake it again.`,
    cause,
  });
}
