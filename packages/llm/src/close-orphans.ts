import type { ModelRequest } from './message.js';

export function closeOrphans(_request: ModelRequest): ModelRequest {
  throw new Error('being written');
}
