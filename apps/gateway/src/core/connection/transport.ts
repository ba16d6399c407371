import type { CloseEntry } from '@codelab/protocol';

/** One connection's way out; the core sees nothing else of a socket. */
export interface Transport {
  /**
   * Hands a message over; messages leave in the order of the calls. `written` is called once for each: when the message has left this
   * process, or when it never will because the connection is gone.
   */
  send(text: string, written: () => void): void;
  /** Ends the connection, after what was handed over. Nothing is sent or received afterwards. */
  close(reason: CloseEntry): void;
}
