import type { ApiError } from '../api-error.js';
import type { EncodedError } from '../dialect.js';

export function encodeError(_error: ApiError): EncodedError {
  throw new Error('being written');
}

export function encodeStreamError(_error: ApiError): string {
  throw new Error('being written');
}

/** Keeps a quiet stream open. A comment that begins otherwise, such as `: ping`, makes Continue drop what follows (F4). */
export const keepalive = ': keep-alive\n\n';
