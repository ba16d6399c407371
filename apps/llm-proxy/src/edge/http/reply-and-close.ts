import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** How long a caller that still sends may go on, so that it gets to read its answer; then the connection is closed. */
const LINGER_MS = 1_000;

export interface WholeReply {
  readonly status: number;
  /** With the content's length. */
  readonly head: OutgoingHttpHeaders;
  readonly content: string | Uint8Array;
}

/**
 * Answers a request whose body was not read to its end, and closes the connection. What still comes is thrown away for a moment: a socket
 * that is closed on a peer which sends resets the connection, and the answer with it.
 */
export function replyAndClose(request: IncomingMessage, response: ServerResponse, { status, head, content }: WholeReply): void {
  response.writeHead(status, { ...head, connection: 'close' });
  response.write(content);
  const close = (): void => {
    clearTimeout(timer);
    if (!response.writableEnded) response.end(() => request.socket.destroySoon());
  };
  const timer = setTimeout(close, request.complete ? 0 : LINGER_MS);
  request.once('end', close).once('close', close).resume();
}
