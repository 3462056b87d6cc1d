import { isRecord } from './is-record.js';

const word = /^[a-z]\w{0,63}$/i;
const identifier = /^[\w-]{1,128}$/;
const deepestCause = 5;

/** What clients say of a timeout, and what we say ourselves. */
export const timeoutMessage = 'Request timed out.';

/**
 * The error a caller sees. A client's error can quote the key, the texts and the answer in its message,
 * body, headers and causes: only its status, code, type and request id are kept.
 */
export function requestError(error: unknown): Error {
  const status = read(error, 'status', /^\d{3}$/);
  const code = codeOf(error);
  const type = read(error, 'type', word);
  const requestId = read(error, 'requestID', identifier) ?? read(error, 'request_id', identifier);
  const what = [
    status === undefined ? reasonOf(error) : `status ${status}`,
    code === undefined ? '' : `, code ${code}`,
    requestId === undefined ? '' : `, request id ${requestId}`,
  ].join('');
  const cause = { status: status && Number(status), code, type, requestId };
  return new Error(`The embeddings request failed: ${what}.`, { cause });
}

function read(error: unknown, field: string, shape: RegExp): string | undefined {
  const value = isRecord(error) ? error[field] : undefined;
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && shape.test(text) ? text : undefined;
}

/** A network error's code sits in the causes. */
function codeOf(error: unknown, depth: number = 0): string | undefined {
  if (!isRecord(error) || depth > deepestCause) return undefined;
  return read(error, 'code', word) ?? codeOf(error['cause'], depth + 1);
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is not JSON';
  const late = isRecord(error) && error['message'] === timeoutMessage;
  return late ? 'no answer in time' : 'no whole answer came';
}
