import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** A frame as it was read: plain JSON. */
export interface PeerFrame {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Which frame is meant: one of a type, or one that a function knows. */
export type FrameFilter = string | ((frame: PeerFrame) => boolean);

/** One connection that a client made. */
export interface PeerConnection {
  /** `/ws/{session_id}`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Everything that came, in order. */
  readonly received: readonly PeerFrame[];
  /** The messages of `received` to the letter. */
  readonly texts: readonly string[];
  /** How it ended; pending while it lives. */
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>;
  /** Sends a frame, or a text as it is. */
  send(frame: object | string): void;
  /** The next frame that fits and that no earlier `next` gave out; waits for it. Rejects when the connection ends first. */
  next(filter: FrameFilter): Promise<PeerFrame>;
  close(code: number, reason?: string): void;
  /** Cuts the connection without a goodbye. */
  terminate(): void;
}

/** A gateway that does what a test says: a real WebSocket server that speaks frames and knows no rules. */
export interface WsPeer {
  /** What a client is given: `ws://127.0.0.1:port/ws`. */
  readonly url: string;
  readonly connections: readonly PeerConnection[];
  /** The next connection that no earlier `next` gave out; waits for it. */
  next(): Promise<PeerConnection>;
  /** Refuses every upgrade with this HTTP status; `undefined` accepts again. */
  refuseWith(status: number | undefined): void;
  /** Cuts everything and frees the port. */
  close(): Promise<void>;
}

/** Gives things out in order, to whoever waits for one that fits. */
class Mailbox<T> {
  private readonly items: T[] = [];
  private readonly waiters: { fits: (item: T) => boolean; resolve: (item: T) => void; reject: (error: Error) => void }[] = [];
  private ended: Error | undefined;

  put(item: T): void {
    const at = this.waiters.findIndex(({ fits }) => fits(item));
    if (at === -1) this.items.push(item);
    else this.waiters.splice(at, 1)[0]!.resolve(item);
  }

  take(fits: (item: T) => boolean): Promise<T> {
    const at = this.items.findIndex(fits);
    if (at !== -1) return Promise.resolve(this.items.splice(at, 1)[0]!);
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => this.waiters.push({ fits, resolve, reject }));
  }

  end(error: Error): void {
    this.ended = error;
    for (const { reject } of this.waiters.splice(0)) reject(error);
  }
}

const toConnection = (socket: WebSocket, request: IncomingMessage): PeerConnection => {
  const received: PeerFrame[] = [];
  const texts: string[] = [];
  const mailbox = new Mailbox<PeerFrame>();
  socket.on('message', (data) => {
    const text = (data as Buffer).toString('utf8');
    const frame = JSON.parse(text) as PeerFrame;
    texts.push(text);
    received.push(frame);
    mailbox.put(frame);
  });
  socket.on('error', () => undefined); // 'close' follows
  const ended = once(socket, 'close').then(([code, reason]) => {
    mailbox.end(
      new Error(`the connection ended (${String(code)}); it had sent ${received.map(({ type }) => type).join(', ') || 'nothing'}`),
    );
    return { code: code as number, reason: (reason as Buffer).toString('utf8') };
  });
  return {
    path: request.url ?? '',
    headers: request.headers,
    received,
    texts,
    ended,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    next: (filter) => mailbox.take(typeof filter === 'string' ? ({ type }) => type === filter : filter),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
};

const refuse = (socket: Duplex, status: number): void => {
  socket.end(`HTTP/1.1 ${String(status)} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

/** Starts a scripted gateway on a free port of the loopback. */
export async function startWsPeer(): Promise<WsPeer> {
  const http: Server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const connections: PeerConnection[] = [];
  const mailbox = new Mailbox<PeerConnection>();
  let status: number | undefined;
  http.on('upgrade', (request, socket, head) => {
    if (status !== undefined) return refuse(socket, status);
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const connection = toConnection(accepted, request);
      connections.push(connection);
      mailbox.put(connection);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `ws://127.0.0.1:${String((http.address() as AddressInfo).port)}/ws`,
    connections,
    next: () => mailbox.take(() => true),
    refuseWith: (refused) => (status = refused),
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
