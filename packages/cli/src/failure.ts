import { type EmbeddingCounts, KnowledgeError } from '@cuecard/core';
import { CommanderError } from 'commander';

import { exitCodes } from './exit-codes.js';

/** A failure of the command line itself; a base's own are `KnowledgeError`s. */
export class CommandError extends Error {
  readonly code: 'usage-invalid' | 'config-invalid' | 'interrupted';

  constructor(code: CommandError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** A failure as `--json` shows it: the details are those of a `KnowledgeError`. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly [detail: string]: string | EmbeddingCounts | undefined;
}

export function describeFailure(thrown: unknown): Failure {
  if (thrown instanceof KnowledgeError) {
    const { code, message, base, field, allowed, document, reason, embedding } = thrown;
    return { code, message, base, field, allowed, document, reason, embedding };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof CommandError) return { code: thrown.code, message };
  if (!(thrown instanceof CommanderError)) return { code: 'unexpected', message };
  return { code: 'usage-invalid', message: message.replace(/^error: /, '') };
}

export function exitCodeOf(code: string): number {
  if (code === 'interrupted') return exitCodes.interrupted;
  const wrongUse = ['usage-invalid', 'config-invalid', 'options-invalid'].includes(code);
  return wrongUse ? exitCodes.wrongUse : exitCodes.failed;
}

/** The stack of an error nobody foresaw, or of what lies under a config that cannot be loaded. */
export function stackOf(thrown: unknown): string | undefined {
  const origin = thrown instanceof CommandError ? thrown.cause : thrown;
  return origin instanceof Error && !(origin instanceof KnowledgeError) ? origin.stack : undefined;
}
