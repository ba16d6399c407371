import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { refuse } from '@codelab/protocol';
import { RefusedRequest } from '../rest/refused-request.js';

/** What somebody may send who is not signed in. */
const MAX_BYTES = 16 * 1024;

/** The body of a request as text. Throws `RefusedRequest`. */
export async function readSmallBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new RefusedRequest(refuse('FRAME_TOO_LARGE', 'the body is over 16 KB'));
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isUtf8(body)) throw new RefusedRequest(refuse('INVALID_FORMAT', 'the body is not UTF-8'));
  return body.toString('utf8');
}
