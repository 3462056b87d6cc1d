import { isRecord } from './is-record.js';

const word = /^[a-z]\w{0,63}$/i;
const identifier = /^[\w-]{1,128}$/;
const deepestCause = 5;

/** What may be told of a client's error. */
export interface RequestFacts {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly requestId: string | undefined;
}

/**
 * A client's error can quote the key, the texts and the answer in its message, body, headers and causes: only its
 * status, code, type and request id are kept.
 */
export function requestFacts(error: unknown): RequestFacts {
  const status = read(error, 'status', /^\d{3}$/);
  return {
    status: status === undefined ? undefined : Number(status),
    code: codeOf(error),
    type: read(error, 'type', word),
    requestId: read(error, 'requestID', identifier) ?? read(error, 'request_id', identifier),
  };
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
