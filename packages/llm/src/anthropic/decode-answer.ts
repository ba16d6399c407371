import type { StreamPart } from '../stream-part.js';
import type { ToolNames } from '../tool-names.js';

export function* decodeAnswer(_text: string, _names?: ToolNames): Generator<StreamPart, void, undefined> {
  throw new Error('being written');
}
