import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { startCluster } from '../../../test/start-cluster.js';
import { startSentinel } from '../../../test/start-sentinel.js';
import { connectBus } from '../create-bus.js';

const CONNECTS_WITHIN_MS = 10_000;

test(
  verifies('R4:sentinel-silent', 'a service connects by the next sentinel when the first takes its connection and never answers'),
  async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const system = await startSentinel();
    try {
      const url = system.url.replace('//', `//127.0.0.1:${String((silent.address() as AddressInfo).port)},`);
      const bus = await connectBus({ url, signal: AbortSignal.timeout(CONNECTS_WITHIN_MS) });
      expect(bus.health().isHealthy).toBe(true);
      await bus.close();
      expect(sockets).not.toEqual([]);
    } finally {
      await system.close();
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  },
);

test(
  verifies('R4:cluster-name-gone', 'a service connects to a cluster though one of the names that it was given is known to nobody'),
  async () => {
    const cluster = await startCluster();
    try {
      const url = cluster.url.replace('//', '//redis-gone.invalid:6379,');
      const bus = await connectBus({ url, signal: AbortSignal.timeout(CONNECTS_WITHIN_MS) });
      expect(bus.health().isHealthy).toBe(true);
      await bus.close();
    } finally {
      await cluster.close();
    }
  },
);
