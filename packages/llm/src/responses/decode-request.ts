import type { CheckOptions, DecodedRequest } from '../dialect.js';
import type { ItemKeeper } from './referenced-items.js';

export interface DecodeOptions extends CheckOptions {
  /** What is known of `referencedItems`, by id: items as they went out. Others are refused by name. */
  readonly items?: ReadonlyMap<string, object>;
  /** Is given each item of the answer that may be referred to later, unless the request says `store: false`. */
  readonly keep?: ItemKeeper;
}

export function decodeRequest(_body: unknown, _raw: string, _options: DecodeOptions = {}): DecodedRequest {
  throw new Error('being written');
}
