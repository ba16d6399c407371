import type { CheckOptions, DecodedRequest } from '../dialect.js';

export function decodeRequest(_body: unknown, _raw: string, _options: CheckOptions = {}): DecodedRequest {
  throw new Error('being written');
}
