/** What happens on a socket. `onClose` comes exactly once, last, also for a socket that never opened. */
export interface SocketEvents {
  onOpen(): void;
  onMessage(text: string): void;
  /** The peer showed a sign of life that is no message. */
  onSign(): void;
  onClose(closing: SocketClosing): void;
}

/** How a socket ended. */
export interface SocketClosing {
  readonly code: number;
  readonly reason: string;
  /** The HTTP status with which the upgrade was refused. */
  readonly status?: number;
  /** The address or the token can't be used at all, by anybody, ever. */
  readonly unusable?: true;
}

/** A message channel to a gateway. Nothing is sent, and nothing thrown, while it isn't open. */
export interface Socket {
  send(text: string): void;
  ping(): void;
  /** Bytes that were sent and are still in this process. */
  readonly buffered: number;
  /** Ends in an orderly way; the peer may take its time. */
  close(code: number, reason: string): void;
  /** Ends at once. */
  terminate(): void;
}

/** Opens a socket. The token goes into the upgrade request and nowhere else. Never throws: a bad address is an `onClose`. */
export type OpenSocket = (address: { readonly url: string; readonly token: string }, events: SocketEvents) => Socket;
