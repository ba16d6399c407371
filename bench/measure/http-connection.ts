import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');

/** An answer, and when it came, in milliseconds after the request was written. */
export interface TimedAnswer {
  readonly status: number;
  readonly head: string;
  readonly firstByteMs: number;
  readonly totalMs: number;
  /** The body as it came, with the marks of its chunks. */
  readonly body: Buffer;
}

interface Waiting {
  readonly sentAt: number;
  readonly resolve: (answer: TimedAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly chunks: Buffer[];
  head?: string;
  length: number;
  firstByteAt?: number;
}

/**
 * A connection that is kept, for one request after the other. As little of HTTP as answers of a gateway need: the driver shares the machine
 * with what it measures.
 */
export class HttpConnection {
  private waiting: Waiting | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.take(bytes));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the connection was closed in the middle of an answer')));
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  ask(request: Buffer): Promise<TimedAnswer> {
    return new Promise((resolve, reject) => {
      this.waiting = { sentAt: performance.now(), resolve, reject, chunks: [], length: 0 };
      this.socket.write(request);
    });
  }

  close(): void {
    this.waiting = undefined;
    this.socket.destroy();
  }

  private take(bytes: Buffer): void {
    const waiting = this.waiting;
    if (waiting === undefined) return;
    let body = bytes;
    if (waiting.head === undefined) {
      const received = waiting.chunks.length === 0 ? bytes : Buffer.concat([...waiting.chunks, bytes]);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) {
        waiting.chunks.splice(0, waiting.chunks.length, received);
        return;
      }
      waiting.chunks.length = 0;
      waiting.head = received.toString('latin1', 0, headEnd);
      body = received.subarray(headEnd + HEAD_END.length);
    }
    if (body.length === 0) return;
    waiting.firstByteAt ??= performance.now();
    waiting.chunks.push(body);
    waiting.length += body.length;
    if (this.isWhole(waiting, body)) this.finish(waiting);
  }

  private isWhole({ head = '', length, chunks }: Waiting, last: Buffer): boolean {
    const expected = /content-length: *(\d+)/i.exec(head)?.[1];
    if (expected !== undefined) return length >= Number(expected);
    const tail = last.length >= CHUNKS_END.length ? last : Buffer.concat(chunks.slice(-2));
    return tail.subarray(-CHUNKS_END.length).equals(CHUNKS_END);
  }

  private finish({ sentAt, head = '', firstByteAt = 0, chunks, resolve }: Waiting): void {
    this.waiting = undefined;
    const status = Number(head.slice(9, 12));
    resolve({ status, head, firstByteMs: firstByteAt - sentAt, totalMs: performance.now() - sentAt, body: Buffer.concat(chunks) });
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = undefined;
  }
}
