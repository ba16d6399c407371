import { WebSocket, type RawData } from 'ws';
import { Failure } from '../check.js';
import { PATIENCE } from '../patience.js';
import { show, type Fits, type Frame } from '../wire/frame.js';
import { Inbox } from '../wire/inbox.js';

/** How the token is handed over. */
export type TokenWay = 'header' | 'subprotocol' | 'none';

/** Where to connect, and as whom. */
export interface Door {
  readonly url: string;
  readonly session: string;
  readonly token: string;
  readonly way?: TokenWay;
}

/** One connection to the gateway that is checked: it sends what a check says and remembers all that comes. */
export class WireClient {
  readonly received: Frame[] = [];
  readonly texts: string[] = [];
  readonly ended: Promise<{ readonly code: number }>;
  private readonly inbox = new Inbox<Frame>(() => this.received.map(({ type }) => type).join(' ') || 'nothing');

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: RawData) => {
      const text = (data as Buffer).toString('utf8');
      const frame = JSON.parse(text) as Frame;
      this.texts.push(text);
      this.received.push(frame);
      this.inbox.put(frame);
    });
    socket.on('error', () => undefined); // 'close' follows
    this.ended = new Promise((resolve) => {
      socket.once('close', (code) => {
        this.inbox.end(`the connection ended (${String(code)})`);
        resolve({ code });
      });
    });
  }

  /** Connects. Fails the check when the upgrade is refused. */
  static async connect(door: Door): Promise<WireClient> {
    const socket = dial(door);
    const client = new WireClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('unexpected-response', (_request, response) => {
        reject(new Failure(`the upgrade was refused with ${String(response.statusCode)}`));
        socket.terminate();
      });
      socket.once('error', (error) => reject(new Failure(`${door.url} can not be connected to: ${error.message}`)));
    });
    return client;
  }

  /** The subprotocol that the gateway selected. */
  get protocol(): string {
    return this.socket.protocol;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Sends a frame, or a text to the letter. */
  send(frame: object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Resolves when a frame has left this process. */
  async sent(frame: object): Promise<void> {
    await new Promise<void>((resolve) => this.socket.send(JSON.stringify(frame), () => resolve()));
  }

  /** The next frame that fits and that no earlier `next` gave out. */
  next(what: string, fits: Fits, withinMs: number = PATIENCE.replyMs): Promise<Frame> {
    return this.inbox.take(what, fits, withinMs);
  }

  maybeNext(fits: Fits, withinMs: number = PATIENCE.quietMs): Promise<Frame | undefined> {
    return this.inbox.maybe(fits, withinMs);
  }

  /** Fails if such a frame came and was not taken, or comes now. */
  async hearsNo(what: string, fits: Fits): Promise<void> {
    const came = await this.inbox.maybe(fits, PATIENCE.quietMs);
    if (came !== undefined) throw new Failure(`the gateway must not send ${what}, but sent ${show(came)}`);
  }

  async close(): Promise<void> {
    if (this.socket.readyState === this.socket.CLOSED) return;
    this.socket.close(1000);
    const timer = setTimeout(() => this.socket.terminate(), 2_000);
    await this.ended;
    clearTimeout(timer);
  }

  /** Cuts the connection, as a lost network does. */
  async cut(): Promise<void> {
    this.socket.terminate();
    await this.ended;
  }
}

/** The status and the body with which an upgrade is refused; fails when it is not. */
export async function refusalOf(address: string, token?: string): Promise<{ readonly status: number; readonly body: string }> {
  const socket = new WebSocket(address, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.terminate();
      reject(new Failure('the upgrade was taken'));
    });
    socket.once('error', (error) => reject(new Failure(error.message)));
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}

function dial({ url, session, token, way = 'header' }: Door): WebSocket {
  const address = `${url}/ws/${session}`;
  if (way === 'subprotocol') return new WebSocket(address, ['codelab.v1', `codelab.bearer.${token}`]);
  return new WebSocket(address, { headers: way === 'header' ? { authorization: `Bearer ${token}` } : {} });
}
