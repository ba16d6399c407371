import type { ModelRequest, StreamPart } from '@codelab/llm';
import type { Provider } from '../../provider.js';
import { offlineModel } from './offline-model.js';

/** The built-in model, which needs no key and no network. */
export class OfflineProvider implements Provider {
  readonly name = 'offline';

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart> {
    return offlineModel(request, signal);
  }
}
