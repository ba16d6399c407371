import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { forwardedFor, peerOf, plainAddress, trustedAddresses } from './peer-address.js';

/** How many sockets may be open without having shown a good token. */
export interface UnauthenticatedLimits {
  readonly total: number;
  readonly perAddress: number;
}

/** Until then a socket needs no place: whoever sends its token with the first request is never in the way of anybody. */
export const GRACE_MS = 1_000;
/** Sockets within their grace, for each place: a fleet that comes back at once gets in. */
const BURST_FACTOR = 16;
const MIN_BURST = 1_024;

interface Waiting {
  readonly socket: Socket;
  readonly peer: string;
  readonly sinceMs: number;
  readonly onClose: () => void;
  /** What it takes up: `fresh` for its first moment, then one of the places of its peer. */
  places: Places;
}

/**
 * Bounds the sockets that have not authenticated, from their first moment, per peer and in all (G1, G4): silent ones, requests that are sent
 * by halves, WebSockets before their `auth`. A socket without a place is closed. Those of trusted proxies aren't counted; what a client does
 * behind them is, by the address that they forward.
 */
export class UnauthenticatedSockets {
  private readonly waiting = new Map<Socket, Waiting>();
  private readonly fresh: Places;
  private readonly standing: Places;
  private readonly isTrusted: (address: string) => boolean;
  /** Sockets that were closed for want of a place. */
  refused = 0;

  constructor(
    limits: UnauthenticatedLimits,
    trustedProxies: readonly string[],
    private readonly now: () => number = Date.now,
  ) {
    const burst = (limit: number): number => Math.max(limit * BURST_FACTOR, MIN_BURST);
    this.fresh = new Places({ total: burst(limits.total), perAddress: burst(limits.perAddress) });
    this.standing = new Places(limits);
    this.isTrusted = trustedAddresses(trustedProxies);
  }

  /** Sockets that have not authenticated now. */
  get size(): number {
    return this.waiting.size;
  }

  /** A socket was opened. */
  arrive(socket: Socket): void {
    if (this.isTrusted(plainAddress(socket.remoteAddress ?? ''))) return;
    if (!this.keep(socket, peerOf(socket.remoteAddress), this.fresh)) this.refuse(socket);
  }

  /** A request is to be upgraded before anybody has authenticated: it needs a place now. `false`: there is none. */
  wait(request: IncomingMessage): boolean {
    const { socket } = request;
    const known = this.waiting.get(socket);
    if (known === undefined) return this.keep(socket, peerOf(forwardedFor(request, this.isTrusted)), this.standing);
    return this.stand(known);
  }

  /** Whoever is behind the socket has shown a good token: it is counted no more. */
  admit(socket: Socket): void {
    const known = this.waiting.get(socket);
    if (known === undefined) return;
    socket.off('close', known.onClose);
    known.onClose();
  }

  /** Sockets whose grace is over take a place, or are closed. Call it a few times a second. */
  sweep(): void {
    const since = this.now() - GRACE_MS;
    for (const known of this.waiting.values()) {
      if (known.sinceMs > since) return; // in the order of their coming
      if (!this.stand(known)) this.refuse(known.socket);
    }
  }

  private keep(socket: Socket, peer: string, places: Places): boolean {
    if (!places.take(peer)) return false;
    const onClose = (): void => {
      if (this.waiting.delete(socket)) known.places.give(peer);
    };
    const known: Waiting = { socket, peer, sinceMs: this.now(), onClose, places };
    this.waiting.set(socket, known);
    socket.once('close', onClose);
    return true;
  }

  private stand(known: Waiting): boolean {
    if (known.places === this.standing) return true;
    if (!this.standing.take(known.peer)) return false;
    known.places.give(known.peer);
    known.places = this.standing;
    return true;
  }

  private refuse(socket: Socket): void {
    this.refused += 1;
    this.admit(socket); // its place is free at once
    socket.destroy();
  }
}

/** Counted places, in all and per peer. */
class Places {
  private taken = 0;
  private readonly perPeer = new Map<string, number>();

  constructor(private readonly limits: UnauthenticatedLimits) {}

  take(peer: string): boolean {
    const here = this.perPeer.get(peer) ?? 0;
    if (this.taken >= this.limits.total || here >= this.limits.perAddress) return false;
    this.taken += 1;
    this.perPeer.set(peer, here + 1);
    return true;
  }

  give(peer: string): void {
    this.taken -= 1;
    const left = (this.perPeer.get(peer) ?? 1) - 1;
    if (left === 0) this.perPeer.delete(peer);
    else this.perPeer.set(peer, left);
  }
}
