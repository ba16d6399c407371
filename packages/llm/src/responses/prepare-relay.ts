import type { PreparedRelay, RelayTarget } from '../dialect.js';

export function prepareRelay(_raw: string, _body: unknown, _to: RelayTarget): PreparedRelay {
  throw new Error('being written');
}
