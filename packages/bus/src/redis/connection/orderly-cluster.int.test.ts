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

/** Has a node do nothing else for 60 ms: it is the last to hear that a connection ends. */
const BUSY = `local function ms() local time = redis.call('TIME') return time[1] * 1000 + time[2] / 1000 end
  local until_ms = ms() + 60
  repeat until ms() > until_ms`;

test(
  verifies('R4:cluster-comes-back', 'and one that is to come back does, though a command on its way is sent to another node then'),
  async () => {
    const cluster = openRedis(redis.url, { purpose: 'commands' }) as Cluster;
    try {
      await once(cluster, 'ready');
      await cluster.set('moved', 'once');
      await Promise.all(cluster.nodes().map((node) => node.ping()));
      const slot = String(await cluster.cluster('KEYSLOT', 'moved'));
      const had = await Promise.all(redis.nodes.map((node) => node.get('moved').catch(() => null)));
      const from = redis.nodes[had.indexOf('once')]!;
      const others = redis.nodes.filter((node) => node !== from);
      await from.del('moved');
      const to = await others[0]!.cluster('MYID');
      for (const node of [others[0]!, from]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', to);
      const ready = once(cluster, 'ready', { signal: AbortSignal.timeout(WAITS_MS) });
      const busy = others.map((node) => node.eval(BUSY, 0));
      const asked = cluster.get('moved').catch((error: Error) => error.message);
      cluster.disconnect(true);
      await Promise.all([ready, asked, ...busy]);
      expect(await cluster.get('moved')).toBeNull();
    } finally {
      cluster.disconnect();
    }
  },
);
