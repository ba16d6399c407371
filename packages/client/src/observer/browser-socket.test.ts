import { expect, test } from 'vitest';
import type { SocketClosing } from '../connection/socket.js';
import { browserSocket, PROBE_ID, type NativeWebSocket } from './browser-socket.js';

class FakeNative {
  static last: FakeNative;
  readyState = 0;
  bufferedAmount = 7;
  binaryType = 'blob';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readonly sent: string[] = [];

  constructor(
    readonly url: string,
    readonly protocols?: readonly string[],
  ) {
    if (url === 'bad') throw new SyntaxError('The URL is invalid.');
    FakeNative.last = this;
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }
}

const WebSocket = FakeNative as unknown as NativeWebSocket;

const dial = (url: string, token = '', diagnose?: () => Promise<number | undefined>) => {
  const messages: string[] = [];
  let close: (closing: SocketClosing) => void;
  const closed = new Promise<SocketClosing>((resolve) => (close = resolve));
  const socket = browserSocket({ WebSocket, diagnose })(
    { url, token },
    {
      onOpen: () => messages.push('open'),
      onMessage: (text) => messages.push(text),
      onSign: () => undefined,
      onClose: (closing) => close(closing),
    },
  );
  return { socket, messages, closed, native: FakeNative.last };
};

test('a page says who it is by its cookie, and nothing of it is in the address', () => {
  expect(dial('ws://host/ws/s1').native.protocols).toBeUndefined();
  expect(dial('ws://host/ws/s1', 'abc').native.protocols).toEqual(['codelab.v1', 'codelab.bearer.abc']);
});

test('nothing is sent before the socket is open; a ping is a question that is always answered', () => {
  const { socket, native, messages } = dial('ws://host/ws/s1');
  socket.send('early');
  socket.ping();
  expect(native.sent).toEqual([]);
  native.open();
  socket.send('late');
  socket.ping();
  native.onmessage?.({ data: 'text' });
  native.onmessage?.({ data: new ArrayBuffer(1) });
  expect(native.sent).toEqual(['late', JSON.stringify({ type: 'queue_remove', message_id: PROBE_ID })]);
  expect(messages).toEqual(['open', 'text']);
  expect(socket.buffered).toBe(7);
});

test('why an upgrade was refused is asked for, and only what is final counts', async () => {
  const ofStatus = async (status: number | undefined): Promise<SocketClosing> => {
    const { native, closed } = dial('ws://host/ws/s1', '', () => Promise.resolve(status));
    native.onclose?.({ code: 1006, reason: '' });
    return closed;
  };
  expect(await ofStatus(401)).toEqual({ code: 1006, reason: '', status: 401 });
  expect(await ofStatus(200)).toEqual({ code: 1006, reason: '' });
  expect(await ofStatus(undefined)).toEqual({ code: 1006, reason: '' });
  const opened = dial('ws://host/ws/s1', '', () => Promise.reject(new Error('not asked')));
  opened.native.open();
  opened.native.onclose?.({ code: 4401, reason: 'expired' });
  expect(await opened.closed).toEqual({ code: 4401, reason: 'expired' });
});

test('an address that is none is said so', async () => {
  expect(await dial('bad').closed).toMatchObject({ unusable: true, reason: 'The URL is invalid.' });
});
