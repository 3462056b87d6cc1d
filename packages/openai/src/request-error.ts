import { isRecord } from './is-record.js';
import { requestFacts } from './request-facts.js';

/** What clients say of a timeout, and what we say ourselves. */
export const timeoutMessage = 'Request timed out.';

/** Whether a client's error, or our own, says that time was up. */
export function isTimeout(error: unknown): boolean {
  return isRecord(error) && error['message'] === timeoutMessage;
}

/** The error that a caller of the embedder sees, with the facts of the client's as its cause. */
export function requestError(error: unknown): Error {
  const cause = requestFacts(error);
  const { status, code, requestId } = cause;
  const what = [
    status === undefined ? reasonOf(error) : `status ${status}`,
    code === undefined ? '' : `, code ${code}`,
    requestId === undefined ? '' : `, request id ${requestId}`,
  ].join('');
  return new Error(`The embeddings request failed: ${what}.`, { cause });
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is not JSON';
  return isTimeout(error) ? 'no answer in time' : 'no whole answer came';
}
