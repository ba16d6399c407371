import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/**
 * The least that a gateway for models does: takes a request, puts its own key in the place of the caller's, sends it on over a connection that is
 * kept, and streams the answer back as it comes. It reads no body, knows no model, limits nothing and repairs nothing.
 */
const agent = new Agent({ keepAlive: true });
const upstream = new URL(process.env['UPSTREAM_URL'] ?? '');

const server = createServer((incoming, outgoing) => {
  const { host: _host, authorization: _authorization, 'x-api-key': _key, connection: _connection, ...headers } = incoming.headers;
  const forwarded = request(
    {
      ...{ agent, host: upstream.hostname, port: upstream.port, method: incoming.method, path: incoming.url },
      headers: { ...headers, authorization: 'Bearer upstream', 'x-api-key': 'upstream' },
    },
    (answer) => {
      const { connection: _own, 'keep-alive': _alive, ...answerHeaders } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, answerHeaders);
      pipeline(answer, outgoing, () => undefined); // whoever is left has been closed
    },
  );
  outgoing.on('close', () => forwarded.destroy());
  forwarded.on('error', () => {
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  });
  incoming.pipe(forwarded);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port });
  process.on('disconnect', () => process.exit(0));
});
