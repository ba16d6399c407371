import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { Inbox } from '../wire/inbox.js';
import { Peer } from './peer.js';

const PATH = /^\/ws\/[A-Za-z0-9_-]{1,64}$/;
const BEARER = 'codelab.bearer.';

/** A gateway without a mind of its own: upgrades by the rules of docs/protocol/connecting.md, and hands the connections to a script. */
export class ScriptedServer {
  /** What clients did wrong at the door: paths, tokens. */
  readonly faults: string[] = [];
  private readonly http: Server = createServer((_request, response) => response.writeHead(404).end());
  private readonly sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 10 * 1024 * 1024,
    handleProtocols: (offered) => (offered.has('codelab.v1') ? 'codelab.v1' : false),
  });
  private readonly arrivals = new Inbox<Peer>(() => this.faults.join('; ') || 'no connection');
  private readonly refusals: number[] = [];
  /** Upgrades that were refused by {@link refuseNext}. */
  refused = 0;

  constructor(readonly token: string) {
    this.http.on('upgrade', (request, socket, head) => {
      const status = this.refusals.shift() ?? this.judge(request);
      if (status !== undefined) return this.refuse(socket, status);
      this.sockets.handleUpgrade(request, socket, head, (accepted) => {
        this.arrivals.put(new Peer(accepted, request, tokenOf(request) === undefined ? this.token : undefined));
      });
    });
  }

  /** Listens on the loopback; port 0 takes a free one. */
  async listen(port = 0): Promise<this> {
    this.http.listen(port, '127.0.0.1');
    await once(this.http, 'listening');
    return this;
  }

  /** What `CODELAB_URL` is: the address without a path. */
  get url(): string {
    return `ws://127.0.0.1:${String((this.http.address() as AddressInfo).port)}`;
  }

  /** The next connection of the client; gone ones are passed over. */
  async next(withinMs: number): Promise<Peer> {
    return this.arrivals.take('a connection of the client', (peer) => peer.isOpen, withinMs);
  }

  /** A connection that comes in this time, if any. */
  maybeNext(withinMs: number): Promise<Peer | undefined> {
    return this.arrivals.maybe((peer) => peer.isOpen, withinMs);
  }

  /** Gives a connection to the next one who asks. */
  putBack(peer: Peer): void {
    this.arrivals.put(peer);
  }

  /** Refuses the next upgrades with these statuses. */
  refuseNext(...statuses: readonly number[]): void {
    this.refusals.push(...statuses);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate();
    this.sockets.close();
    this.http.closeAllConnections();
    this.http.close();
    await once(this.http, 'close');
  }

  private judge(request: IncomingMessage): number | undefined {
    const url = new URL(request.url ?? '', 'ws://localhost');
    const fault = (status: number, what: string): number => {
      this.faults.push(what);
      return status;
    };
    if (request.url?.includes(this.token) === true) return fault(400, 'the token stands in the URL');
    if (!PATH.test(url.pathname)) return fault(404, `${url.pathname} is no session: the address is /ws/{session_id}`);
    const token = tokenOf(request);
    if (token !== undefined && token !== this.token) return fault(401, 'the token is not the one that was given');
    return undefined;
  }

  private refuse(socket: Duplex, status: number): void {
    this.refused += 1;
    const body = JSON.stringify({ error: { code: 'UNAVAILABLE', message: 'refused by the conformance kit', retryable: status >= 429 } });
    const head = [`HTTP/1.1 ${String(status)} Refused`, 'Connection: close', 'Content-Type: application/json', 'Retry-After: 0'];
    socket.end(`${[...head, `Content-Length: ${String(Buffer.byteLength(body))}`].join('\r\n')}\r\n\r\n${body}`);
  }
}

/** The token of the upgrade request; `undefined` without one: an `auth` frame has to come. */
function tokenOf({ headers }: IncomingMessage): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) return authorization.replace(/^Bearer /i, '');
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((word) => word.trim());
  return offered.find((word) => word.startsWith(BEARER))?.slice(BEARER.length);
}
