import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { WebSocketGateway, type OnGatewayConnection } from '@nestjs/websockets';
import type { Owner } from '@codelab/bus';
import { Connection } from '../../core/connection/connection.js';
import { SessionFrames } from '../../core/connection/session-frames.js';
import type { Transport } from '../../core/connection/transport.js';
import type { GatewayPorts } from '../../core/gateway-ports.js';
import { GATEWAY_PORTS, GATEWAY_TIMING } from '../tokens.js';
import type { Upgraded } from './raw-ws-adapter.js';
import { WsPeer, type PeerHost } from './ws-peer.js';

/** How often the sockets are looked at, at most; one timer for all. */
const CHECK_MS = 1_000;

/** Times of the edge. */
export interface GatewayTiming {
  readonly pingIntervalMs: number;
  /** Over how much time a drain sends the clients away. */
  readonly drainSpreadMs: number;
  /** How long the store may be away before the clients are sent elsewhere. */
  readonly storeAwayMs: number;
}

/** Every socket of this process: makes a connection of each, looks after them once a second, tells them what concerns all. */
@WebSocketGateway()
export class FrameGateway implements OnGatewayConnection<Upgraded>, PeerHost {
  /** With what ends the watch over the sign-in that a peer rests on. */
  /** With what gives the place of each back. */
  private readonly peers = new Map<WsPeer, () => void>();
  private readonly frames: SessionFrames;
  private readonly timer: NodeJS.Timeout;
  private abandoning: NodeJS.Timeout | undefined;
  private whenEmpty: (() => void) | undefined;

  constructor(
    @Inject(GATEWAY_PORTS) private readonly ports: GatewayPorts,
    @Inject(GATEWAY_TIMING) private readonly timing: GatewayTiming,
  ) {
    this.frames = new SessionFrames(ports);
    this.timer = setInterval(() => this.check(), Math.min(CHECK_MS, timing.pingIntervalMs / 4));
    this.timer.unref();
  }

  get pingIntervalMs(): number {
    return this.timing.pingIntervalMs;
  }

  nowMs(): number {
    return this.ports.steady.now();
  }

  /** Nest would let a rejection of it go unhandled, so it is synchronous and never throws. */
  handleConnection({ socket, tcp, sessionId, place, identity, endWait, watchSignIn }: Upgraded): void {
    const upgrade = {
      connection: randomUUID(),
      sessionId,
      identity,
      onAuthenticated: endWait,
      claim: (owner: Owner) => place.claim(owner),
    };
    const connect = (transport: Transport): Connection => new Connection(this.ports, this.frames, transport, upgrade);
    const peer = new WsPeer(socket, tcp, this, connect);
    const unwatch = watchSignIn?.(() => peer.signOut());
    this.peers.set(peer, () => {
      unwatch?.();
      place.leave();
    });
    peer.serve(identity !== undefined);
  }

  forget(peer: WsPeer): void {
    this.peers.get(peer)?.();
    this.peers.delete(peer);
    if (this.peers.size === 0) this.whenEmpty?.();
  }

  /** The store went away, or came back. */
  announceStore(isReady: boolean): void {
    clearTimeout(this.abandoning);
    if (isReady) return this.ports.absence.end();
    this.ports.absence.begin();
    for (const peer of this.peers.keys()) peer.announceOutage();
    this.abandoning = setTimeout(() => [...this.peers.keys()].forEach((peer) => peer.abandon()), this.timing.storeAwayMs);
    this.abandoning.unref();
  }

  /** Sends every client away, spread over a while, and resolves when they are gone. Who isn't by then is cut off. */
  async drain(signal: AbortSignal): Promise<void> {
    clearTimeout(this.abandoning);
    this.ports.absence.end();
    for (const peer of this.peers.keys()) peer.drain(Math.round(Math.random() * this.timing.drainSpreadMs));
    if (this.peers.size > 0) {
      await new Promise<void>((resolve) => {
        this.whenEmpty = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    clearInterval(this.timer);
    for (const peer of this.peers.keys()) peer.terminate();
  }

  private check(): void {
    const nowMs = this.nowMs();
    this.ports.hub.check(nowMs);
    for (const peer of this.peers.keys()) peer.check(nowMs);
  }
}
