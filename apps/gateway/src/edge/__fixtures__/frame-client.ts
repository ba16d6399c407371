import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';

/** A frame as a client sees it. */
export type Frame = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A client with no rules of its own: sends what a test says, and shows what came. */
export class FrameClient {
  readonly received: Frame[] = [];
  readonly texts: string[] = [];
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>;
  private read = 0;
  private hear: (() => void) | undefined;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.texts.push((data as Buffer).toString('utf8'));
      this.received.push(JSON.parse((data as Buffer).toString('utf8')) as Frame);
      this.hear?.();
    });
    socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      socket.once('close', (code, reason) => {
        this.hear?.();
        resolve({ code, reason: reason.toString('utf8') });
      });
    });
  }

  /** Connects with a token in the request; rejects with the HTTP status of a refusal. */
  static async connect(url: string, token?: string, options: ClientOptions & { protocols?: string[] } = {}): Promise<FrameClient> {
    const { protocols = [], ...rest } = options;
    const headers = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...rest.headers };
    const socket = new WebSocket(url, protocols, { ...rest, headers });
    const client = new FrameClient(socket);
    const refused = new Promise<never>((_, reject) => {
      socket.once('unexpected-response', (_request, response: IncomingMessage) => {
        void readAll(response).then((body) => {
          reject(Object.assign(new Error(`refused with ${String(response.statusCode)}`), { status: response.statusCode, body }));
        });
      });
      socket.once('error', reject);
    });
    await Promise.race([once(socket, 'open'), refused]);
    return client;
  }

  send(frame: object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The next frame of a type that `next` has not passed yet; what lies before it is passed. */
  async next(type: string, withinMs = 45_000): Promise<Frame> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      for (; this.read < this.received.length; this.read += 1) {
        if (this.received[this.read]!.type === type) return this.received[this.read++]!;
      }
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || this.socket.readyState === WebSocket.CLOSED) {
        throw new Error(`no ${type}; received last: ${this.texts.slice(-10).map((text) => text.slice(0, 200)).join(' ')}`);
      }
      await this.whenHeard(leftMs);
    }
  }

  /** Sends a frame that is answered by an error, and waits for that: everything sent before it is handled then. */
  async settle(): Promise<void> {
    const mark = `mark-${String(this.received.length)}-${String(Math.random())}`;
    this.send({ type: 'queue_remove', message_id: mark });
    while ((await this.next('error'))['reply_to'] !== mark);
  }

  ofType(type: string): readonly Frame[] {
    return this.received.filter((frame) => frame.type === type);
  }

  /** Ends; a paused one at once, as it would not hear that the other side agrees. */
  async close(): Promise<void> {
    if (this.socket.isPaused) this.socket.terminate();
    else this.socket.close();
    await this.ended;
  }

  private async whenHeard(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.hear = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.hear = undefined;
  }
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response as AsyncIterable<Buffer>) text += chunk.toString('utf8');
  return text;
}

/** A `hello` of a client with tools. */
export const hello = (clientId: string, fields: object = {}): object => ({
  type: 'hello',
  protocol_versions: ['1.0'],
  client_id: clientId,
  tools: ['read_file', 'write_file'],
  ...fields,
});
