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
}
