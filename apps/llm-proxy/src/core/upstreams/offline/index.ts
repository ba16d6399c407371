import { LlmError, type ModelRequest, type StreamPart } from '@codelab/llm';
import type { AskUpstream, RelayedAnswer, Upstream } from '../upstream.js';
import { offlineModel } from './offline-model.js';

/** The built-in model, which needs no key and no network. It speaks no dialect: whoever asks it does so in canonical form. */
export class OfflineUpstream implements Upstream {
  readonly name = 'offline';
  readonly quirks = {};
  readonly dialects: Upstream['dialects'] = new Set();
  readonly embeddings = 'built-in';

  stream(request: ModelRequest, { signal }: AskUpstream): AsyncIterable<StreamPart> {
    return offlineModel(request, signal);
  }

  relay(): Promise<RelayedAnswer> {
    return Promise.reject(new LlmError('not_found', 'The built-in model is asked in canonical form only.'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
