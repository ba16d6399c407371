import type { StreamPart } from './stream-part.js';

/** Leaves every call after the first one out of an answer: for servers that can't be told that only one is wanted. */
export async function* keepFirstCall(parts: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart, void, undefined> {
  for await (const part of parts) if (!isFurtherCall(part)) yield part;
}

/** Whether a part belongs to a call after the first one. */
export function isFurtherCall(part: StreamPart): boolean {
  return 'index' in part && part.index > 0;
}
