import type { ModelRequest } from './message.js';

export function placeCacheMarks(_request: ModelRequest): ModelRequest {
  throw new Error('being written');
}
