import { WebSocket } from 'ws';

/** What a socket tells its peer. */
export interface SocketListener {
  onMessage(data: Buffer, isBinary: boolean): void;
  onPong(): void;
  onClose(): void;
  /** The message that comes in is over the limit. The library ends the connection next. */
  onTooLarge(): void;
}

/**
 * A WebSocket that tells one listener what happens, and says why it ends before it ends: `ws` closes with 1009 by itself, and after a close
 * frame nothing can be sent. It keeps no lists of listeners: they would cost an idle connection more than its state.
 */
export class GatewaySocket extends WebSocket {
  private listener: SocketListener | undefined = undefined;

  /** Begins to tell; nothing happens on a socket before this turn of the event loop is over. */
  listen(listener: SocketListener): void {
    this.listener = listener;
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    const { listener } = this;
    if (event === 'message') listener?.onMessage(values[0] as Buffer, values[1] === true);
    else if (event === 'pong') listener?.onPong();
    else if (event === 'close') listener?.onClose();
    return listener !== undefined; // an error says nothing that the close after it doesn't
  }

  override close(code?: number, reason?: string | Buffer): void {
    if (code === 1009 && reason === undefined && this.readyState === WebSocket.OPEN && this.listener) this.listener.onTooLarge();
    else super.close(code, reason);
  }
}
