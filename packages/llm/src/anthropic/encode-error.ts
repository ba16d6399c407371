import type { ApiError } from '../api-error.js';
import type { EncodedError } from '../dialect.js';

export function encodeError(_error: ApiError, _requestId?: string): EncodedError {
  throw new Error('being written');
}

export function encodeStreamError(_error: ApiError, _requestId?: string): string {
  throw new Error('being written');
}

/** Keeps a quiet stream open (F4). */
export const keepalive = 'event: ping\ndata: {"type": "ping"}\n\n';
