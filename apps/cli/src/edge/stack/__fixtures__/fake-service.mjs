// What a service is to its supervisor, and nothing more: it listens on the port of its variable, says so, and ends on SIGTERM.
import { createServer } from 'node:http';

const port = Number(process.env.GATEWAY_PORT ?? process.env.RUNTIME_PORT ?? process.env.LLM_PROXY_PORT);
const server = createServer((request, response) => response.end(JSON.stringify({ status: 'ok', pid: process.pid })));
server.once('error', ({ code }) => {
  process.send({ type: 'failed', message: `Port ${port} on 127.0.0.1 is in use (${code}).`, portTaken: code === 'EADDRINUSE' });
  process.disconnect();
});
server.listen(port, '127.0.0.1', () => {
  process.send({ type: 'listening', port: server.address().port });
  process.send({ type: 'ready' });
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
