import type { ModelRequest } from '../message.js';
import type { Quirks } from '../quirks.js';
import type { ToolNames } from '../tool-names.js';

export interface EncodeOptions {
  readonly quirks?: Quirks;
  /** The largest answer of the model, where it is known: sent as `max_tokens` when the request has none. */
  readonly maxOutputTokens?: number;
}

export interface EncodedRequest {
  readonly body: object;
  /** The body as JSON. */
  readonly text: string;
  /** Turns the names in the answer back into those of the request. */
  readonly names: ToolNames;
}

export function encodeRequest(_request: ModelRequest, _options: EncodeOptions = {}): EncodedRequest {
  throw new Error('being written');
}
