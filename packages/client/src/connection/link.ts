import { PeerWatch } from './peer-watch.js';
import type { OpenSocket, Socket, SocketClosing } from './socket.js';
import type { Clock } from '@codelab/clock';

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
