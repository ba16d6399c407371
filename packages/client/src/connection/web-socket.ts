import { LIMITS } from '@codelab/protocol';
import { WebSocket, type RawData } from 'ws';
import type { OpenSocket, Socket, SocketClosing, SocketEvents } from './socket.js';

/** A frame that the gateway re-sends is a little longer than the one it stored. */
const MAX_PAYLOAD_BYTES = LIMITS.MAX_FRAME_BYTES + 64 * 1024;

/** Time for TCP, TLS and the upgrade. */
const HANDSHAKE_MS = 15_000;

/** A peer that is busy may not answer a goodbye; whoever has said it does not stay for longer. */
const GOODBYE_MS = 1_000;

const textOf = (data: RawData): string =>
  Array.isArray(data)
    ? Buffer.concat(data).toString('utf8')
    : data instanceof ArrayBuffer
      ? Buffer.from(data).toString('utf8')
      : data.toString('utf8');

const unusable = (reason: string, events: SocketEvents): Socket => {
  queueMicrotask(() => events.onClose({ code: 1006, reason, unusable: true }));
  return { buffered: 0, send: () => undefined, ping: () => undefined, close: () => undefined, terminate: () => undefined };
};

const connect = (url: string, token: string): WebSocket =>
  new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: MAX_PAYLOAD_BYTES,
    handshakeTimeout: HANDSHAKE_MS,
    followRedirects: false,
  });

/** A socket by `ws`. A redirect is not followed: the token is meant for the address that the user named. */
export const openWebSocket: OpenSocket = ({ url, token }, events) => {
  let socket: WebSocket;
  try {
    socket = connect(url, token);
  } catch (error) {
    return unusable(error instanceof Error ? error.message : 'the address or the token cannot be used', events);
  }
  let failure: string | undefined;
  let status: number | undefined;
  socket.on('open', () => events.onOpen());
  socket.on('message', (data) => events.onMessage(textOf(data)));
  socket.on('ping', () => events.onSign());
  socket.on('pong', () => events.onSign());
  socket.on('error', (error) => (failure ??= error.message));
  socket.on('unexpected-response', (_request, response) => {
    status = response.statusCode;
    response.resume();
    socket.terminate();
  });
  socket.on('close', (code, reason) => {
    const closing: SocketClosing = { code, reason: reason.toString('utf8') || (failure ?? '') };
    events.onClose(status === undefined ? closing : { ...closing, status });
  });
  return {
    get buffered() {
      return socket.bufferedAmount;
    },
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    ping: () => socket.readyState === WebSocket.OPEN && socket.ping(),
    close: (code, reason) => {
      socket.close(code, reason);
      const timer = setTimeout(() => socket.terminate(), GOODBYE_MS);
      socket.once('close', () => clearTimeout(timer));
    },
    terminate: () => socket.terminate(),
  };
};
