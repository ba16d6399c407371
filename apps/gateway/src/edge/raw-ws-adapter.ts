import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { WebSocketAdapter } from '@nestjs/common';
import { newId } from '@codelab/bus';
import { ERRORS, LIMITS, refuse, type Refusal } from '@codelab/protocol';
import type { UnauthenticatedSockets } from '@codelab/service-shell';
import { WebSocketServer } from 'ws';
import type { Authenticate, Identity, SourceRules } from '@codelab/auth';
import { judgeUpgrade, NEW_SESSION, SUBPROTOCOL } from '../core/arrival/judge-upgrade.js';
import type { ConnectionLimits } from '../core/arrival/connection-limits.js';
import { HTTP_STATUS } from '../core/http-status.js';
import type { GatewayStats } from '../core/stats.js';
import { GatewaySocket } from './gateway-socket.js';

/** Time for a peer to answer a close frame. */
const CLOSE_TIMEOUT_MS = 5_000;

const TOO_MANY_WAIT = refuse('RATE_LIMITED', 'too many connections wait for their authentication: send the token with the upgrade request');

/** A socket that was let in. */
export interface Guest {
  readonly socket: GatewaySocket;
  readonly tcp: Socket;
  readonly sessionId: string;
  /** Absent if the upgrade request had no token. */
  readonly identity?: Identity;
  /** To be called when a client without a token has authenticated, or is gone. */
  readonly endWait?: () => void;
}

/** What decides who is let in. */
export interface Door {
  readonly authenticate: Authenticate;
  readonly sources: SourceRules;
  readonly sockets: UnauthenticatedSockets;
  readonly limits: ConnectionLimits;
  readonly stats: GatewayStats;
  /** Why nobody is let in now: the store is away, the gateway stops. */
  readonly closedBecause: () => string | undefined;
}

/**
 * Builds the WebSocket server of the gateway and stands at its door: path, origin, token and bounds are judged before the upgrade, so that
 * whoever isn't let in costs an HTTP answer (G1). Messages are none of Nest's business: its own routing would drop bad ones in silence.
 */
export class RawWsAdapter implements WebSocketAdapter<WebSocketServer, GatewaySocket> {
  private readonly upgrades = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', ignore); // until the upgrade, nobody else listens
    void this.admit(request, socket as Socket, head);
  };
  private readonly server: WebSocketServer;

  constructor(
    private readonly http: Server,
    private readonly door: Door,
  ) {
    const options = {
      noServer: true,
      clientTracking: false,
      maxPayload: LIMITS.MAX_FRAME_BYTES,
      perMessageDeflate: false,
      skipUTF8Validation: true, // a text that is none gets an answer, not a close
      closeTimeout: CLOSE_TIMEOUT_MS,
      handleProtocols: (offered: ReadonlySet<string>) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
      WebSocket: GatewaySocket,
    };
    this.server = new WebSocketServer(options);
  }

  create(): WebSocketServer {
    this.http.on('upgrade', this.upgrades);
    return this.server;
  }

  bindClientConnect(server: WebSocketServer, callback: (guest: Guest) => void): void {
    server.on('guest', callback);
  }

  bindMessageHandlers(): void {}

  /** Upgrades are still judged, and turned away, until the HTTP server is closed: without a listener they would be plain requests. */
  async close(server: WebSocketServer): Promise<void> {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async dispose(): Promise<void> {}

  private async admit(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { headers, url = '' } = request;
    const { origin, host, authorization } = headers;
    const closed = this.door.closedBecause();
    if (closed !== undefined) return this.turnAway(socket, 503, refuse('UNAVAILABLE', closed));
    const judged = judgeUpgrade({ url, origin, host, authorization, protocols: headers['sec-websocket-protocol'] }, this.door.sources);
    if (!judged.ok) return this.turnAway(socket, judged.status, judged.refusal);
    const authenticated = judged.token === undefined ? undefined : await this.door.authenticate(judged.token);
    if (authenticated?.ok === false) return this.turnAway(socket, HTTP_STATUS[authenticated.code], authenticated);
    const identity = authenticated?.identity;
    if (identity) this.door.sockets.admit(socket);
    if (identity && !identity.scopes.includes('session')) {
      return this.turnAway(socket, 403, refuse('FORBIDDEN', 'this token lacks the scope session'));
    }
    if (!identity && !this.door.sockets.wait(request)) return this.turnAway(socket, 429, TOO_MANY_WAIT);
    const full = this.door.limits.enter();
    if (full !== undefined) return this.turnAway(socket, 503, full);
    const endWait = identity ? undefined : (): void => this.door.sockets.admit(socket);
    const sessionId = judged.sessionId === NEW_SESSION ? newId('ses') : judged.sessionId;
    this.upgrade(request, socket, head, { sessionId, ...(endWait ? { endWait } : {}), ...(identity ? { identity } : {}) });
  }

  private upgrade(request: IncomingMessage, socket: Socket, head: Buffer, guest: Omit<Guest, 'socket' | 'tcp'>): void {
    const lost = (): void => this.door.limits.leave();
    socket.once('close', lost);
    this.server.handleUpgrade(request, socket, head, (upgraded) => {
      socket.off('close', lost);
      socket.off('error', ignore);
      this.server.emit('guest', { ...guest, socket: upgraded as GatewaySocket, tcp: socket } satisfies Guest);
    });
  }

  private turnAway(socket: Socket, status: number, { code, message }: Refusal): void {
    this.door.stats.refusals.add(code);
    const { retryable } = ERRORS[code];
    const body = JSON.stringify({ error: { code, message, retryable } });
    const lines = [
      `HTTP/1.1 ${String(status)} ${code}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
      ...(retryable ? ['Retry-After: 1'] : []),
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
    socket.destroySoon();
  }
}

const ignore = (): void => {};
