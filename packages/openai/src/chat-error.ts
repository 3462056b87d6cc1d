import { ChatError, type ChatErrorCode } from '@cuecard/core/tools';

import { isRecord } from './is-record.js';
import { isTimeout } from './request-error.js';
import { requestFacts } from './request-facts.js';

const firstPauseMs = 250;

/** The error a host sees; `otherwise` is its code where the server has sent no status. */
export function chatError(error: unknown, otherwise: ChatErrorCode = 'unavailable'): ChatError {
  if (error instanceof ChatError) return error;
  const cause = requestFacts(error);
  const { status } = cause;
  const code = isTimeout(error) ? 'timeout' : (codeOf(status) ?? otherwise);
  const shown = status === undefined ? '' : `, status ${status}`;
  return new ChatError({ code, message: `The chat request failed: ${code}${shown}.`, cause });
}

/** How long to wait before the next try, in milliseconds; `undefined` where it would not help. */
export function pauseBeforeRetry(error: unknown, tries: number): number | undefined {
  const { code } = chatError(error);
  const isHopeless =
    code === 'unauthorized' ||
    code === 'rejected' ||
    header(error, 'x-should-retry') === 'false' ||
    requestFacts(error).code === 'insufficient_quota';
  if (isHopeless) return undefined;
  // The caller has waited long enough.
  if (code === 'timeout') return 0;
  const milliseconds = Number.parseFloat(header(error, 'retry-after-ms'));
  const seconds = Number.parseFloat(header(error, 'retry-after'));
  const asked = [milliseconds, seconds * 1_000].find((pause) => pause >= 0);
  // Calls that failed together are not to come back together.
  return asked ?? firstPauseMs * 2 ** tries * (0.75 + Math.random() / 2);
}

function codeOf(status: number | undefined): ChatErrorCode | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate-limited';
  return status >= 500 || status === 408 || status === 409 ? 'unavailable' : 'rejected';
}

/** Headers are an object in the fourth major version of the client. */
function header(error: unknown, name: string): string {
  const headers = isRecord(error) ? error['headers'] : undefined;
  const value = headers instanceof Headers ? headers.get(name) : isRecord(headers) && headers[name];
  return typeof value === 'string' ? value : '';
}
