import type { AnswerMeta } from '../dialect.js';
import type { StreamPart } from '../stream-part.js';

export function encodeAnswer(_parts: readonly StreamPart[], _meta: AnswerMeta): string {
  throw new Error('being written');
}
