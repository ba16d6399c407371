import type { StreamPart } from '../stream-part.js';
import type { ToolNames } from '../tool-names.js';

export async function* decodeStream(_bytes: AsyncIterable<Uint8Array>, _names?: ToolNames): AsyncGenerator<StreamPart, void, undefined> {
  throw new Error('being written');
}
