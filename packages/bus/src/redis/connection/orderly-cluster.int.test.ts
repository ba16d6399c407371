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

/** Has a cluster disconnect while a command on its way is sent to another node. Answers when the command is over. */
const disconnectOnTheWay = async (cluster: Cluster, key: string, comesBack: boolean): Promise<void> => {
  await once(cluster, 'ready');
  await cluster.set(key, 'once');
  await Promise.all(cluster.nodes().map((node) => node.ping()));
  const slot = String(await cluster.cluster('KEYSLOT', key));
  const had = await Promise.all(redis.nodes.map((node) => node.get(key).catch(() => null)));
  const from = redis.nodes[had.indexOf('once')]!;
  const others = redis.nodes.filter((node) => node !== from);
  await from.del(key);
  const to = await others[0]!.cluster('MYID');
  for (const node of [others[0]!, from]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', to);
  const busy = others.map((node) => node.eval(BUSY, 0));
  const asked = cluster.get(key).catch((error: Error) => error.message);
  cluster.disconnect(comesBack);
  await Promise.all([asked, ...busy]);
};

test(
  verifies('R4:cluster-comes-back', 'and one that is to come back does, though a command on its way is sent to another node then'),
  async () => {
    const cluster = openRedis(redis.url, { purpose: 'commands' }) as Cluster;
    try {
      await disconnectOnTheWay(cluster, 'moved', true);
      await eventually('it is back', () => cluster.status === 'ready', { withinMs: WAITS_MS });
      expect(await cluster.get('moved')).toBeNull();
    } finally {
      cluster.disconnect();
    }
  },
);

test(
  verifies('R4:cluster-ends', 'and one that is to go says that it has ended, though a command on its way is sent to another node then'),
  async () => {
    const cluster = openRedis(redis.url, { purpose: 'commands' }) as Cluster;
    const ended = once(cluster, 'end', { signal: AbortSignal.timeout(2 * WAITS_MS) });
    await disconnectOnTheWay(cluster, 'moved again', false);
    await ended;
    expect(cluster.nodes()).toEqual([]);
  },
);

test(verifies('R4:cluster-ends', 'and so does one that has nothing to close, and neither comes back for what failed late'), async () => {
  const cluster = openRedis(redis.url, { purpose: 'wakes', waits: true });
  const ended = once(cluster, 'end', { signal: AbortSignal.timeout(WAITS_MS) });
  cluster.disconnect(); // it has not yet connected to any
  await ended;
  const heard: string[] = [];
  for (const event of ['connecting', 'reconnecting']) cluster.on(event, () => heard.push(event));
  cluster.disconnect(true);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect({ heard, status: cluster.status }).toEqual({ heard: [], status: 'end' });
});

test(
  verifies('R4:cluster-subscribes', 'channels are subscribed again after connections to a node that does not answer were given up'),
  async () => {
    const cluster = openRedis(redis.url, { purpose: 'subscriber' }) as Cluster;
    const heard: string[] = [];
    cluster.on('smessage', (_, message: string) => heard.push(message));
    try {
      await once(cluster, 'ready');
      const owner = redis.nodes[0]!;
      const channels = Array.from({ length: 20 }, (_, place) => `channel${String(place)}`);
      const slots = await Promise.all(channels.map((name) => owner.cluster('KEYSLOT', name)));
      const channel = channels[slots.findIndex((slot) => slot < 5_000)]!; // the first node has these
      await cluster.ssubscribe(channel);
      redis.freeze(0);
      const begins = once(cluster, '+subscriber');
      cluster.disconnect(true);
      await begins;
      await new Promise((resolve) => setTimeout(resolve, 200)); // connected, and not answered
      cluster.disconnect(true);
      redis.thaw(0);
      await eventually('it is subscribed', () => cluster.ssubscribe(channel).catch(() => undefined), { withinMs: 4 * WAITS_MS });
      await eventually('the channel', async () => {
        await owner.spublish(channel, 'hello');
        return heard.includes('hello');
      });
    } finally {
      redis.thaw(0);
      cluster.disconnect();
    }
  },
);
