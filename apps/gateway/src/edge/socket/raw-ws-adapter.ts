import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { WebSocketAdapter } from '@nestjs/common';
import { newId } from '@codelab/bus';
import { ERRORS, LIMITS, refuse } from '@codelab/protocol';
import type { UnauthenticatedSockets } from '@codelab/service-shell';
import { WebSocketServer } from 'ws';
import { hostOf, type Authenticate, type Identity, type SourceRules } from '@codelab/auth';
import { judgeUpgrade, NEW_SESSION, SUBPROTOCOL } from '../../core/admission/judge-upgrade.js';
import type { ConnectionLimits, ConnectionPlace } from '../../core/admission/connection-limits.js';
import type { Admitted, BrowserSignIns, Refused, WatchSignIn } from '../../core/console/browser-sign-ins.js';
import { HTTP_STATUS } from '../../core/http-status.js';
import { isStoreAway, UNAVAILABLE } from '../../core/refusals.js';
import type { GatewayStats } from '../../core/stats.js';
import { toPageRequest, type IsTrusted } from '../console/page-request.js';
import { GatewaySocket } from './gateway-socket.js';

/** Time for a peer to answer a close frame. */
const CLOSE_TIMEOUT_MS = 5_000;

const TOO_MANY_WAIT = refuse('RATE_LIMITED', 'too many connections wait for their authentication: send the token with the upgrade request');

/** A socket whose upgrade was admitted. */
export interface Upgraded {
  readonly socket: GatewaySocket;
  readonly tcp: Socket;
  readonly sessionId: string;
  readonly place: ConnectionPlace;
  /** Absent if the upgrade request had no token. */
  readonly identity?: Identity;
  /** To be called when a client without a token has authenticated, or is gone. */
  readonly endWait?: () => void;
  /** Of a browser that came by its cookie. */
  readonly watchSignIn?: WatchSignIn;
}

/** What decides who is let in. */
export interface Admission {
  readonly authenticate: Authenticate;
  readonly sources: SourceRules;
  readonly sockets: UnauthenticatedSockets;
  readonly limits: ConnectionLimits;
  /** Whose browser it is, where an upgrade request brings no token. */
  readonly browsers: Pick<BrowserSignIns, 'judge'>;
  readonly isTrusted: IsTrusted;
  readonly stats: GatewayStats;
  /** Why nobody is let in now: the store is away, the gateway stops. */
  readonly closedBecause: () => string | undefined;
}

/**
 * Builds the WebSocket server of the gateway and checks path, origin, token and bounds before each upgrade, so that
 * a refusal costs one HTTP answer (G1). Messages are none of Nest's business: its own routing would drop bad ones in silence.
 */
export class RawWsAdapter implements WebSocketAdapter<WebSocketServer, GatewaySocket> {
  private readonly upgrades = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', ignore); // until the upgrade, nobody else listens
    void this.admit(request, socket as Socket, head);
  };
  private readonly server: WebSocketServer;

  constructor(
    private readonly http: Server,
    private readonly admission: Admission,
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

  bindClientConnect(server: WebSocketServer, callback: (upgraded: Upgraded) => void): void {
    server.on('upgraded', callback);
  }

  bindMessageHandlers(): void {}

  /** Upgrades are still judged, and refused, until the HTTP server is closed: without a listener they would be plain requests. */
  async close(server: WebSocketServer): Promise<void> {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  async dispose(): Promise<void> {}

  private async admit(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { headers, url = '' } = request;
    const { origin, authorization } = headers;
    const closed = this.admission.closedBecause();
    if (closed !== undefined) return this.refuseUpgrade(socket, 503, refuse('UNAVAILABLE', closed));
    const judged = judgeUpgrade(
      { url, origin, host: hostOf(request), authorization, protocols: headers['sec-websocket-protocol'] },
      this.admission.sources,
    );
    if (!judged.ok) return this.refuseUpgrade(socket, judged.status, judged.refusal);
    const authenticated: Admitted | Refused | undefined =
      judged.token === undefined ? await this.admitBrowser(request) : await this.admission.authenticate(judged.token);
    if (authenticated?.ok === false) return this.refuseUpgrade(socket, HTTP_STATUS[authenticated.code], authenticated);
    const identity = authenticated?.identity;
    const watchSignIn = authenticated?.watch;
    if (identity) this.admission.sockets.admit(socket);
    if (identity && !identity.scopes.includes('session')) {
      return this.refuseUpgrade(socket, 403, refuse('FORBIDDEN', 'this token lacks the scope session'));
    }
    if (!identity && !this.admission.sockets.wait(request)) return this.refuseUpgrade(socket, 429, TOO_MANY_WAIT);
    const place = this.admission.limits.enter();
    if ('code' in place) return this.refuseUpgrade(socket, 503, place);
    const tooMany = identity && place.claim(identity.owner);
    if (tooMany) {
      place.leave();
      return this.refuseUpgrade(socket, 429, tooMany);
    }
    const endWait = identity ? undefined : (): void => this.admission.sockets.admit(socket);
    const sessionId = judged.sessionId === NEW_SESSION ? newId('ses') : judged.sessionId;
    this.upgrade(request, socket, head, {
      sessionId,
      place,
      ...(endWait ? { endWait } : {}),
      ...(identity ? { identity, watchSignIn } : {}),
    });
  }

  /** Who it is by the cookie of the console; `undefined`: there is none, and the first frame says it. */
  private async admitBrowser(request: IncomingMessage): Promise<Admitted | Refused | undefined> {
    const { browsers, isTrusted } = this.admission;
    try {
      const judged = await browsers.judge(toPageRequest(request, isTrusted, { isUpgrade: true }));
      if (judged.kind === 'none') return undefined;
      return judged.kind === 'signed_in'
        ? { ok: true, identity: judged.identity, watch: judged.watch }
        : { ...judged.refusal, clear: judged.clear };
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      return UNAVAILABLE;
    }
  }

  private upgrade(request: IncomingMessage, socket: Socket, head: Buffer, admitted: Omit<Upgraded, 'socket' | 'tcp'>): void {
    const lost = (): void => admitted.place.leave();
    socket.once('close', lost);
    this.server.handleUpgrade(request, socket, head, (upgraded) => {
      socket.off('close', lost);
      socket.off('error', ignore);
      this.server.emit('upgraded', { ...admitted, socket: upgraded as GatewaySocket, tcp: socket } satisfies Upgraded);
    });
  }

  private refuseUpgrade(socket: Socket, status: number, { code, message, clear }: Refused): void {
    this.admission.stats.refusals.add(code);
    const { retryable } = ERRORS[code];
    const body = JSON.stringify({ error: { code, message, retryable } });
    const lines = [
      `HTTP/1.1 ${String(status)} ${code}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${String(Buffer.byteLength(body))}`,
      ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
      ...(retryable ? ['Retry-After: 1'] : []),
      ...(clear === undefined ? [] : [`Set-Cookie: ${clear}`]),
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
    socket.destroySoon();
  }
}

const ignore = (): void => {};
