import type { ApiError } from '../api-error.js';

export { encodeError, keepalive } from '../openai/encode-error.js';

export function encodeStreamError(_error: ApiError): string {
  throw new Error('being written');
}
