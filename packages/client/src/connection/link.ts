import type { OpenSocket, Socket, SocketClosing } from './socket.js';
import type { Clock } from '@codelab/clock';

/** Silence after which the peer is asked for a sign of life. Gateways ping more often than this. */
const QUIET_MS = 20_000;

/** Silence after the question that means the peer is gone. */
const DEAD_MS = 10_000;

/** Notices a peer that is gone without a word: a suspended laptop, a pulled cable. Lives as long as one socket. */
class PeerWatch {
  private seenAt: number;
  private callOff: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly ask: () => void,
    private readonly onDead: () => void,
  ) {
    this.seenAt = clock.now();
    this.callOff = clock.after(QUIET_MS, () => this.look());
  }

  /** Anything came from the peer. */
  sign(): void {
    this.seenAt = this.clock.now();
  }

  stop(): void {
    this.callOff();
  }

  private look(): void {
    const quiet = this.clock.now() - this.seenAt;
    if (quiet < QUIET_MS) {
      this.callOff = this.clock.after(QUIET_MS - quiet, () => this.look());
      return;
    }
    const asked = this.seenAt;
    this.ask();
    this.callOff = this.clock.after(DEAD_MS, () => (this.seenAt === asked ? this.onDead() : this.look()));
  }
}

/** What a link tells its owner. Nothing comes after `drop`. */
export interface LinkEvents {
  onOpen(): void;
  onMessage(text: string): void;
  onLost(closing: SocketClosing): void;
}

/** One socket from its opening to its end: watched for a silent peer, and mute once it is dropped. */
export class Link {
  private readonly socket: Socket;
  private watch: PeerWatch | undefined;
  private dropped = false;

  constructor(
    open: OpenSocket,
    address: { readonly url: string; readonly token: string },
    private readonly clock: Clock,
    private readonly events: LinkEvents,
  ) {
    this.socket = open(address, {
      onOpen: () => this.opened(),
      onMessage: (text) => {
        this.watch?.sign();
        if (!this.dropped) events.onMessage(text);
      },
      onSign: () => this.watch?.sign(),
      onClose: (closing) => this.lost(closing),
    });
  }

  get buffered(): number {
    return this.socket.buffered;
  }

  send(text: string): void {
    this.socket.send(text);
  }

  /** Lets go of the socket. With a reason it ends in an orderly way, without one at once. */
  drop(goodbye?: { readonly code: number; readonly reason: string }): void {
    if (this.dropped) return;
    this.dropped = true;
    this.watch?.stop();
    if (goodbye) this.socket.close(goodbye.code, goodbye.reason);
    else this.socket.terminate();
  }

  private opened(): void {
    if (this.dropped) return;
    this.watch = new PeerWatch(
      this.clock,
      () => this.socket.ping(),
      () => {
        this.socket.terminate();
        this.lost({ code: 1006, reason: 'the gateway shows no sign of life' });
      },
    );
    this.events.onOpen();
  }

  private lost(closing: SocketClosing): void {
    if (this.dropped) return;
    this.dropped = true;
    this.watch?.stop();
    this.events.onLost(closing);
  }
}
