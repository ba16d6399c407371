import { once } from 'node:events';
import type { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { startCluster, type TestCluster } from '../../../test/start-cluster.js';
import { openRedis } from './open-redis.js';

const WAITS_MS = 5_000;

let redis: TestCluster;
beforeAll(async () => {
  redis = await startCluster();
});
afterAll(() => redis?.close());

test(
  verifies('R4:cluster-ends', 'a cluster that is to connect while it disconnects says first that it has ended, a duplicate as well'),
  async () => {
    const first = openRedis(redis.url, { purpose: 'wakes', waits: true }) as Cluster;
    const second = first.duplicate();
    try {
      for (const cluster of [first, second]) {
        await cluster.ping();
        const ended = once(cluster, 'end', { signal: AbortSignal.timeout(WAITS_MS) });
        cluster.disconnect();
        const connected = cluster.connect();
        await ended;
        await connected;
        expect(await cluster.ping()).toBe('PONG');
      }
    } finally {
      first.disconnect();
      second.disconnect();
    }
  },
);

test(verifies('R4:cluster-ends', 'and one that is to connect while slots are not served has connected once they are'), async () => {
  const cluster = openRedis(redis.url, { purpose: 'wakes', waits: true });
  try {
    await cluster.ping();
    const ended = once(cluster, 'end');
    cluster.disconnect();
    await ended;
    const owner = redis.nodes[0]!;
    for (const node of redis.nodes) await node.call('CLUSTER', 'DELSLOTS', '0');
    await eventually('nobody serves', async () =>
      (await Promise.all(redis.nodes.map((node) => node.cluster('INFO')))).every((info) => String(info).includes('cluster_state:fail')),
    );
    const tries = once(cluster, 'reconnecting');
    const connected = cluster.connect();
    await tries;
    await owner.call('CLUSTER', 'ADDSLOTS', '0');
    await connected;
    expect(await cluster.ping()).toBe('PONG');
  } finally {
    cluster.disconnect();
  }
});
