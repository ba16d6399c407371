import type { IncomingMessage } from 'node:http';
import { decodeClientFrame } from '@codelab/protocol';
import type { WebSocket } from 'ws';
import { demand } from '../check.js';
import { PATIENCE } from '../patience.js';
import { show, type Fits, type Frame } from '../wire/frame.js';
import { Inbox } from '../wire/inbox.js';

/** One connection of the client that is checked. Each frame of it is checked against its schema. */
export class Peer {
  /** Everything that came, in order. */
  readonly received: Frame[] = [];
  /** Frames that are none, and frames before authentication. */
  readonly faults: string[] = [];
  readonly session: string;
  readonly ended: Promise<{ readonly code: number }>;
  private readonly inbox = new Inbox<Frame>(() => this.received.map(({ type }) => type).join(' ') || 'nothing');
  private readonly listeners: ((frame: Frame) => void)[] = [];

  /** @param awaits the token that has to come in an `auth` frame; `undefined`: it came with the upgrade */
  constructor(
    private readonly socket: WebSocket,
    request: IncomingMessage,
    private awaits: string | undefined,
  ) {
    this.session = (request.url ?? '').split('/').at(-1) ?? '';
    socket.on('message', (data) => this.take((data as Buffer).toString('utf8')));
    socket.on('error', () => undefined); // 'close' follows
    this.ended = new Promise((resolve) => {
      socket.once('close', (code) => {
        this.inbox.end(`the connection ended (${String(code)})`);
        resolve({ code });
      });
    });
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  send(frame: object | string): void {
    if (this.isOpen) this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The next frame that fits and that no earlier `next` gave out. */
  next(what: string, fits: Fits, withinMs: number = PATIENCE.replyMs): Promise<Frame> {
    return this.inbox.take(what, fits, withinMs);
  }

  maybeNext(fits: Fits, withinMs: number = PATIENCE.quietMs): Promise<Frame | undefined> {
    return this.inbox.maybe(fits, withinMs);
  }

  /** Fails if such a frame has come and was not taken, or comes now. What the client was sent before has been read by then. */
  async refrains(what: string, fits: Fits): Promise<void> {
    await this.hasRead();
    const came = await this.inbox.maybe(fits, PATIENCE.quietMs);
    demand(came === undefined, `the client must not ${what}, but sent ${came === undefined ? '' : show(came)}`);
  }

  /** Passes over frames that came and that nobody took. */
  drop(fits: Fits): void {
    this.inbox.drop(fits);
  }

  /** Calls back for each frame, before anybody waits for it. */
  onFrame(listener: (frame: Frame) => void): void {
    this.listeners.push(listener);
  }

  close(code: number, reason = 'the conformance kit says so'): void {
    this.socket.close(code, reason);
  }

  /** Cuts the connection, as a gateway does that dies. */
  cut(): void {
    this.socket.terminate();
  }

  /** Resolves when the client's side has read what was sent so far: a pong comes behind it. */
  async hasRead(): Promise<void> {
    if (!this.isOpen) return;
    const pong = new Promise<void>((resolve) => this.socket.once('pong', () => resolve()));
    this.socket.ping();
    await Promise.race([pong, this.ended]);
  }

  private take(text: string): void {
    const decoded = decodeClientFrame(text);
    if (!decoded.ok) {
      this.faults.push(`${decoded.code}: ${decoded.message}, in ${text.slice(0, 200)}`);
      this.send({ type: 'error', code: decoded.code, message: decoded.message, retryable: false });
      return;
    }
    const frame = JSON.parse(text) as Frame;
    this.received.push(frame);
    if (frame.type === 'auth') return this.authenticate(frame);
    if (this.awaits !== undefined) {
      this.faults.push(`${frame.type} came before the token did`);
      return this.close(4500);
    }
    for (const listener of this.listeners) listener(frame);
    this.inbox.put(frame);
  }

  private authenticate(frame: Frame): void {
    if (this.awaits !== undefined && frame['token'] !== this.awaits) {
      this.faults.push('the token of `auth` is not the one that was given');
      return this.close(4500);
    }
    this.awaits = undefined;
  }
}
