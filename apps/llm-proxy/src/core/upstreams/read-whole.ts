import { LlmError } from '@codelab/llm';
import type { RelayedAnswer } from './upstream.js';

/** 32 MiB: the longest answer in one piece. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** The body of an answer in one piece. Rejects with `LlmError`. */
export function readWhole(answer: Pick<RelayedAnswer, 'pour' | 'drop'>, maxBytes = MAX_ANSWER_BYTES): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    answer.pour({
      data: (piece) => {
        pieces.push(piece);
        if ((length += piece.length) <= maxBytes) return true;
        reject(new LlmError('unavailable', `The model provider answered with more than ${maxBytes} bytes.`, { retryable: false }));
        answer.drop();
        return false;
      },
      end: (failure) => {
        if (failure) reject(failure);
        else resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length));
      },
    });
  });
}

/** Whether the headers of an answer say that it is JSON, not a stream. */
export const isJson = ({ headers }: Pick<RelayedAnswer, 'headers'>): boolean => {
  const type = headers['content-type'];
  return typeof type === 'string' && type.startsWith('application/json');
};
