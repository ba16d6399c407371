import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import { LIMITS, type CloseEntry } from '@codelab/protocol';
import type { Connection } from '../../core/connection/connection.js';
import type { Transport } from '../../core/connection/transport.js';
import type { GatewaySocket, SocketListener } from './gateway-socket.js';

/** What a WebSocket header takes at most. */
const MAX_HEADER_BYTES = 14;

/** What a peer needs of its gateway. */
export interface PeerHost {
  readonly pingIntervalMs: number;
  /** The time by a steady clock. */
  nowMs(): number;
  forget(peer: WsPeer): void;
}

/** One socket and the connection behind it: bytes on one side, messages on the other. */
export class WsPeer implements Transport, SocketListener {
  private readonly connection: Connection;
  private nextPingMs: number;
  private isPinged = false;
  private heardMs: number;
  private isCorked = false;
  private guard: ((chunk: Buffer) => void) | undefined = undefined;

  constructor(
    private readonly socket: GatewaySocket,
    private readonly tcp: Socket,
    private readonly host: PeerHost,
    connect: (transport: Transport) => Connection,
  ) {
    this.heardMs = host.nowMs();
    this.nextPingMs = this.heardMs + host.pingIntervalMs * (0.5 + Math.random() / 2); // not all at once
    this.connection = connect(this);
  }

  /** Begins. The first frame of a client that has not authenticated is bounded before it is complete. */
  serve(isAuthenticated: boolean): void {
    this.socket.listen(this);
    if (!isAuthenticated) this.guardFirstFrame();
  }

  send(text: string, written: () => void): void {
    if (!this.isCorked) {
      this.isCorked = true;
      this.tcp.cork(); // frames of one commit leave in one write
      process.nextTick(uncork, this);
    }
    this.socket.send(text, written);
  }

  close({ code, reason }: CloseEntry): void {
    this.socket.close(code, reason);
    if (this.socket.isPaused) this.socket.resume();
  }

  /** Looks whether the peer lives, and what runs out. */
  check(nowMs: number): void {
    this.connection.check(nowMs);
    if (nowMs < this.nextPingMs) return;
    this.nextPingMs = nowMs + this.host.pingIntervalMs;
    if (this.socket.isPaused || this.connection.isBlocked) return;
    if (this.isPinged && nowMs - this.heardMs > this.host.pingIntervalMs) return this.connection.close('HEARTBEAT');
    this.isPinged = true;
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  drain(retryAfterMs: number): void {
    this.connection.drain(retryAfterMs);
  }

  announceOutage(): void {
    this.connection.announceOutage();
  }

  /** The browser that it belongs to has signed out. */
  signOut(): void {
    this.connection.expire('you are signed out: sign in again');
  }

  abandon(): void {
    this.connection.close('REDIS_AWAY');
  }

  /** Ends at once. */
  terminate(): void {
    this.socket.terminate();
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    this.heardMs = this.host.nowMs();
    this.endGuard();
    if (isBinary) return this.connection.receiveUnreadable('a frame is a text message, not a binary one');
    if (!isUtf8(data)) return this.connection.receiveUnreadable('the message is not UTF-8');
    const room = this.connection.receive(data.toString('utf8'), data.length);
    if (room === undefined || this.socket.isPaused) return;
    this.socket.pause();
    void room.then(() => this.socket.resume());
  }

  onPong(): void {
    this.heardMs = this.host.nowMs();
    this.isPinged = false;
  }

  onClose(): void {
    this.endGuard();
    this.connection.closed();
    this.host.forget(this);
  }

  onTooLarge(): void {
    this.connection.receiveTooLarge();
  }

  private guardFirstFrame(): void {
    let bytes = 0;
    this.guard = (chunk) => {
      bytes += chunk.length;
      if (bytes > LIMITS.MAX_UNAUTHENTICATED_FRAME_BYTES + MAX_HEADER_BYTES) this.connection.receiveTooLarge();
    };
    this.tcp.on('data', this.guard);
  }

  private endGuard(): void {
    if (this.guard !== undefined) this.tcp.off('data', this.guard);
    this.guard = undefined;
  }

  /** @internal for `nextTick`, which needs no closure then */
  uncork(): void {
    this.isCorked = false;
    this.tcp.uncork();
  }
}

const uncork = (peer: WsPeer): void => peer.uncork();
