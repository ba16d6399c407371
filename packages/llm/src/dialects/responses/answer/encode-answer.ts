import type { AnswerMeta } from '../../dialect.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import { StreamEncoder } from '../stream/stream-encoder.js';

/** Writes a whole answer, which ends with `finish`, as a response object: JSON text, the same that a stream would end with. */
export function encodeAnswer(parts: readonly StreamPart[], meta: AnswerMeta): string {
  const encoder = new StreamEncoder(meta);
  for (const part of parts) encoder.push(part);
  return encoder.response();
}
