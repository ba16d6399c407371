import type { WatchOptions } from '../dialect.js';
import type { StreamWatch } from '../stream-watch.js';

export function watchStream(_options: WatchOptions = {}): StreamWatch {
  throw new Error('being written');
}
