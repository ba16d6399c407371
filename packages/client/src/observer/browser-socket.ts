import { encodeFrame, type ClientFrameOf } from '@codelab/protocol';
import type { OpenSocket, Socket, SocketEvents } from '../connection/socket.js';

/** What is used of the platform's `WebSocket`. */
interface NativeSocket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** The class of it. */
export type NativeWebSocket = new (url: string, protocols?: readonly string[]) => NativeSocket;

/** How a page connects. */
export interface BrowserSocketOptions {
  /**
   * A page isn't told why an upgrade was refused. This asks: it resolves with the status that the gateway answers a plain request with the
   * same cookie, or `undefined` if there is no answer. Without it every refusal looks like a lost network, and is tried again.
   */
  readonly diagnose?: () => Promise<number | undefined>;
  /** Default: the platform's. */
  readonly WebSocket?: NativeWebSocket;
}

const OPEN = 1;

/** A message that nobody has: the gateway answers that it is unknown (G2), and that is a sign of life. */
export const PROBE_ID = 'codelab-probe';

/** Pages can't send a ping. */
const probe: ClientFrameOf<'queue_remove'> = { type: 'queue_remove', message_id: PROBE_ID };
const PROBE = encodeFrame(probe);

/** Statuses that mean that the cookie is not good for it; another one may pass by itself. */
const FINAL: ReadonlySet<number | undefined> = new Set([401, 403]);

/** The sockets of a page, by the platform's `WebSocket`. The page's cookie says who it is; a token, where there is one, goes as subprotocol. */
export function browserSocket({ diagnose, WebSocket }: BrowserSocketOptions = {}): OpenSocket {
  return ({ url, token }, events) => {
    const Native = WebSocket ?? (globalThis as unknown as { readonly WebSocket: NativeWebSocket }).WebSocket;
    let socket: NativeSocket;
    try {
      socket = token === '' ? new Native(url) : new Native(url, ['codelab.v1', `codelab.bearer.${token}`]);
    } catch (error) {
      return unusable(error instanceof Error ? error.message : 'the address cannot be used', events);
    }
    let opened = false;
    socket.onopen = () => {
      opened = true;
      events.onOpen();
    };
    socket.onmessage = ({ data }) => typeof data === 'string' && events.onMessage(data);
    socket.onclose = ({ code, reason }) => {
      if (opened || diagnose === undefined) return events.onClose({ code, reason });
      void diagnose()
        .catch(() => undefined)
        .then((status) => events.onClose({ code, reason, ...(FINAL.has(status) ? { status } : {}) }));
    };
    const isOpen = (): boolean => socket.readyState === OPEN;
    return {
      get buffered() {
        return socket.bufferedAmount;
      },
      send: (text) => isOpen() && socket.send(text),
      ping: () => isOpen() && socket.send(PROBE),
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.close(),
    };
  };
}

const unusable = (reason: string, events: SocketEvents): Socket => {
  queueMicrotask(() => events.onClose({ code: 1006, reason, unusable: true }));
  return { buffered: 0, send: () => undefined, ping: () => undefined, close: () => undefined, terminate: () => undefined };
};
