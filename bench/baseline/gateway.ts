import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { connect, key, ready } from './connect.js';

const redis = connect();
const announcements = redis.duplicate();
const sockets = new Map<string, WebSocket>();

await announcements.subscribe('f:live');
announcements.on('message', (_channel, text) => {
  const cut = text.indexOf(' ');
  sockets.get(text.slice(0, cut))?.send(text.slice(cut + 1));
});

const server: WebSocketServer = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () =>
  ready((server.address() as AddressInfo).port),
);
server.on('connection', (socket, request) => {
  const sid = (request.url ?? '').split('/').pop() ?? '';
  sockets.set(sid, socket);
  socket.on('close', () => sockets.delete(sid));
  socket.on('message', (data) => {
    const text = (data as Buffer).toString();
    const frame = JSON.parse(text) as { type: string; call_id: string; message_id: string };
    if (frame.type === 'user_message') {
      void redis
        .deliver(1, key(sid, 'inbox'), text, sid)
        .then(() => socket.send(`{"type":"message_accepted","message_id":"${frame.message_id}"}`));
    } else if (frame.type === 'tool_result') {
      void redis
        .settle(2, key(sid, 'inbox'), key(sid, 'calls'), frame.call_id, text, sid)
        .then(() => socket.send(`{"type":"tool_result_ack","call_id":"${frame.call_id}","outcome":"accepted"}`));
    }
  });
});
