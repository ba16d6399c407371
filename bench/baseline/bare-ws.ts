import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** The least that holds a WebSocket open: what an idle connection is measured against. */
const server: WebSocketServer = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port });
  process.on('disconnect', () => process.exit(0));
});
server.on('connection', (socket) => socket.on('message', () => socket.send('{"type":"welcome"}')));
