import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { startCluster } from '../../../test/start-cluster.js';
import { startSentinel } from '../../../test/start-sentinel.js';
import { connectBus } from '../create-bus.js';
import { inspectStore } from './inspect-store.js';

const REPORT = {
  ...{ service: 'gateway', replica: 'abc', version: '1', startedAtMs: 1, atMs: 2, waitingFor: [] },
  ...{ numbers: {}, histograms: [], settings: [] },
} as const;
const NOBODY = '127.0.0.1:1';

const opened: { close(): Promise<void> }[] = [];
const keep = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};
const closeAll = async (): Promise<void> => {
  for (const one of opened.splice(0).reverse()) await one.close();
};
afterEach(closeAll);
afterAll(closeAll);

const WAYS: Readonly<Record<string, (redis: TestRedis) => Promise<unknown>>> = {
  NOREPLICAS: ({ client }) => client.config('SET', 'min-replicas-to-write', '1'),
  OOM: ({ client }) => client.config('SET', 'maxmemory', '1'),
  MISCONF: async ({ client, socket }) => {
    await mkdir(join(dirname(socket), 'dump.rdb')); // where the snapshot should be written
    await client.bgsave();
    await eventually('the snapshot fails', async () => (await client.info()).includes('rdb_last_bgsave_status:err'));
  },
};

test.each(Object.keys(WAYS))(
  verifies('G2:doctor-refused', 'a store that refuses writes (%s) is looked at like any other, and what it says of its disk is found'),
  async (word) => {
    const redis = keep(await startRedis({ snapshot: true }));
    const bus = await connectBus({ url: redis.url });
    await bus.serviceReports.publish(REPORT);
    await bus.close();
    await WAYS[word]?.(redis);
    await expect(redis.client.set('a', 'b')).rejects.toThrow(word);
    const { nodes, silent, work } = await inspectStore(redis.url);
    expect([nodes.map(({ snapshotStatus }) => snapshotStatus), silent]).toEqual([[word === 'MISCONF' ? 'err' : 'ok'], []]);
    expect(work).toMatchObject({ services: [{ service: 'gateway', replica: 'abc' }] });
  },
);

test(verifies('G2:doctor-load', 'a look says how much of its core a server uses'), async () => {
  const redis = keep(await startRedis());
  const share = async (): Promise<number> => (await inspectStore(redis.url)).nodes[0]?.busyShare ?? -1;
  const idle = await share();
  let isOver = false;
  const load = (async () => {
    while (!isOver) await redis.client.eval('for i = 1, 1e5 do redis.sha1hex(i) end', 0);
  })();
  const busy = await share();
  isOver = true;
  await load;
  expect(idle).toBeGreaterThanOrEqual(0);
  expect(busy).toBeGreaterThan(idle + 0.05); // as much as a busy machine gives it
  expect(busy).toBeLessThan(1.5);
});

test(verifies('G2:doctor-sentinel', 'behind Sentinel the replicas and the sentinels are looked at too, each for itself'), async () => {
  const system = keep(await startSentinel());
  await system.settled();
  const well = await inspectStore(system.url);
  expect(well).toMatchObject({
    nodes: [
      { role: 'master', appendonly: 'yes', maxmemoryPolicy: 'noeviction', replicas: [{ state: 'online' }] },
      { role: 'slave', appendonly: 'yes', appendfsync: 'always', maxmemoryPolicy: 'noeviction', masterLink: 'up' },
    ],
    ...{ silent: [], sentinels: { answering: [expect.any(String)], silent: [], quorum: 1 }, work: { lookedAt: 0 } },
  });
  expect(well.sentinels?.problem).toBeUndefined();
  expect(well.nodes[0]?.replicas[0]?.address).toBe(well.nodes[1]?.address);

  await system.tell('SET', 'main', 'quorum', '2');
  await system.killReplica();
  const ill = await inspectStore(system.url.replace(/\/main$/, `,${NOBODY}/main`));
  expect(ill).toMatchObject({
    nodes: [{ role: 'master' }],
    silent: [{ address: well.nodes[1]?.address, problem: expect.stringContaining('ECONNREFUSED') }],
    sentinels: { silent: [{ address: NOBODY }], quorum: 2, problem: expect.stringContaining('NOQUORUM') },
    work: { lookedAt: 0 },
  });
});

test('where no sentinel answers, or none knows the name, the look fails and says who said what', async () => {
  await expect(inspectStore(`redis+sentinel://${NOBODY}/main`)).rejects.toThrow(
    /no sentinel answers for main \(127.0.0.1:1: .*ECONNREFUSED/,
  );
});

test(
  verifies('G2:doctor-cluster', 'of a cluster each node is looked at, and one that is dead hides neither the others nor its slots'),
  async () => {
    const cluster = keep(await startCluster());
    const well = await inspectStore(cluster.url);
    expect(well).toMatchObject({ silent: [], cluster: { failing: [], uncoveredSlots: 0 }, work: { lookedAt: 0 } });
    expect(well.nodes.map(({ role }) => role)).toEqual(['master', 'master', 'master']);
    expect([...(well.cluster?.withoutReplica ?? [])].sort()).toEqual(well.nodes.map(({ address }) => address).sort());

    await cluster.kill(0); // the first that the URL names
    await eventually('the others know it', async () =>
      String(await cluster.nodes[1]?.call('CLUSTER', 'INFO')).includes('cluster_state:fail'),
    );
    const ill = await inspectStore(cluster.url, { withinMs: 1_000 });
    expect(ill).toMatchObject({
      silent: [{ problem: expect.stringContaining('ECONNREFUSED') }],
      cluster: { failing: [expect.any(String), expect.any(String)], uncoveredSlots: 5_461 },
      work: { problem: expect.stringMatching(/./) },
    });
    expect(ill.nodes).toHaveLength(2);
  },
);
