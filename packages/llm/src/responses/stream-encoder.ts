import type { ApiError } from '../api-error.js';
import type { AnswerMeta } from '../dialect.js';
import type { StreamPart } from '../stream-part.js';

export class StreamEncoder {
  constructor(readonly meta: AnswerMeta) {}
  start(): string {
    throw new Error('being written');
  }
  push(_part: StreamPart): string {
    throw new Error('being written');
  }
  end(): string {
    throw new Error('being written');
  }
  /** Ends the stream with an error. Says more than `encodeStreamError`: the response with what came of it. */
  fail(_error: ApiError): string {
    throw new Error('being written');
  }
}
