import type { CheckOptions } from '../dialect.js';

export function checkRequest(_body: unknown, _options: CheckOptions = {}): void {
  throw new Error('being written');
}
