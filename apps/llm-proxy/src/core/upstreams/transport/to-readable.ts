import { Readable } from 'node:stream';
import type { RelayedAnswer } from '../upstream.js';

/** The body of an answer as a stream of Node's, for those who iterate over it. */
export function toReadable(answer: Pick<RelayedAnswer, 'pour' | 'goOn' | 'drop'>): Readable {
  const body = new Readable({
    read: () => answer.goOn(),
    destroy: (error, done) => {
      answer.drop();
      done(error);
    },
  });
  body.on('error', () => undefined); // the reader gets it; a late one has none
  answer.pour({
    data: (bytes) => body.push(bytes),
    end: (failure) => {
      if (failure) body.destroy(failure);
      else body.push(null);
    },
  });
  return body;
}
