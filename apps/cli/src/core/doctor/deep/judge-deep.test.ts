import { expect, test } from 'vitest';
import type { InspectedNode, InspectedService, InspectedWork, StoreInspection } from '@codelab/bus';
import { judgeDeep, type DeepLook } from './judge-deep.js';

const service = (name: string, more: Partial<InspectedService> = {}): InspectedService => ({
  ...{ service: name, replica: 'a1', version: '1.0.0', startedAtMs: 0, atMs: 0, waitingFor: [], settings: [], clockMs: 3 },
  ...more,
});

const NODE: InspectedNode = {
  ...{
    address: '10.0.0.1:6379',
    role: 'master',
    version: '7.4.9',
    appendonly: 'yes',
    appendfsync: 'always',
    maxmemoryPolicy: 'noeviction',
  },
  ...{ usedBytes: 1e6, maxBytes: 1e9, evictedKeys: 0, appendStatus: 'ok', snapshotStatus: 'ok', replicas: [], clockMs: 2, roundTripMs: 1 },
};

const WELL: InspectedWork = {
  services: ['gateway', 'agent-runtime', 'llm-proxy'].map((name) => service(name)),
  ...{ queues: [], wakes: 0, stuck: [], lookedAt: 7, stored: { totalBytes: 10, largestOwnerBytes: 10, largestTenantBytes: 10 } },
};

const SERVERS: Omit<StoreInspection, 'work'> = { nodes: [NODE], silent: [] };

const judge = (inspection: StoreInspection, probes: DeepLook['probes'] = []) =>
  judgeDeep({ inspection, probes, quotas: { ownerBytes: 1_000, tenantBytes: 8_000 } });

const namesOf = (findings: ReturnType<typeof judge>): readonly string[] =>
  findings.filter(({ state }) => state !== 'right').map(({ state, subject, found }) => `${state} ${subject}: ${found}`);

/** What isn't right, in one line each: of the work, and of the servers. */
const troubles = (work: Partial<InspectedWork>, probes: DeepLook['probes'] = []) =>
  namesOf(judge({ ...SERVERS, work: { ...WELL, ...work } }, probes));
const serverTroubles = (servers: Partial<StoreInspection>) => namesOf(judge({ ...SERVERS, work: WELL, ...servers }));

test('a stack that is well has no finding, and each part of it is named', () => {
  expect(troubles({})).toEqual([]);
  expect(judge({ ...SERVERS, work: WELL }, [{ url: 'http://a', status: 200 }]).map(({ subject }) => subject)).toEqual([
    ...['Redis', 'Redis persistence', 'Redis memory', 'gateway', 'agent-runtime', 'llm-proxy', 'http://a', 'versions', 'clocks'],
    ...['queue of sessions', 'queue of models', 'leases', 'tenant quota', 'person quota'],
  ]);
});

test.each<[string, Partial<InspectedNode>, string]>([
  ['no persistence', { appendonly: 'no' }, 'wrong Redis persistence: appendonly no: a restart loses sessions'],
  ['weak persistence', { appendfsync: 'everysec' }, 'note Redis persistence: appendfsync everysec: a crash loses the last second'],
  ['a full disk', { appendStatus: 'err' }, 'wrong Redis persistence: the last write to its disk failed (err)'],
  [
    'eviction',
    { maxmemoryPolicy: 'allkeys-lru' },
    'wrong Redis memory: 1.0 MB of 1000.0 MB, allkeys-lru: it throws sessions away when memory is short',
  ],
  ['little memory left', { usedBytes: 9e8 }, 'wrong Redis memory: 900.0 MB of 1000.0 MB, noeviction: it will soon refuse writes'],
  ['an old server', { version: '6.2.1' }, 'wrong Redis: 6.2.1, master, answers in 1.0 ms'],
  ['a slow way', { roundTripMs: 80 }, 'note Redis: 7.4.9, master, answers in 80.0 ms'],
  ['a replica alone', { role: 'slave', masterLink: 'down' }, 'wrong Redis replication: this replica does not hear its master'],
  [
    'a replica behind',
    { replicas: [{ address: '10.0.0.2:6379', state: 'online', behindBytes: 5e6 }] },
    'note Redis replication: 10.0.0.2:6379 is online, 5.0 MB behind',
  ],
  ['a busy core', { busyShare: 0.61 }, 'note Redis load: 61 % of a core: answers come late in bursts'],
  ['another clock', { clockMs: -5_000 }, 'wrong clocks: this machine and Redis 10.0.0.1:6379: -5.0 s'],
])('Redis: %s', (_, changes, expected) => expect(serverTroubles({ nodes: [{ ...NODE, ...changes }] })).toEqual([expected]));

test.each<[string, Partial<InspectedWork>, readonly string[]]>([
  ['a service that is missing', { services: WELL.services.slice(1) }, ['wrong gateway: none has reported for 15 s']],
  [
    'a replica that waits',
    { services: [...WELL.services, service('gateway', { replica: 'b2', waitingFor: ['redis'] })] },
    ['note gateway: gateway b2 waits for redis'],
  ],
  [
    'mixed versions and settings',
    {
      services: [
        ...WELL.services.slice(1),
        service('gateway', { settings: [{ name: 'CODELAB_QUOTA_OWNER_BYTES', meaning: '', isSet: true, value: '1' }] }),
        service('gateway', {
          ...{ replica: 'b2', version: '0.9.0' },
          settings: [{ name: 'CODELAB_QUOTA_OWNER_BYTES', meaning: '', isSet: true, value: '2' }],
        }),
      ],
    },
    [
      'note versions: 1.0.0: agent-runtime a1, llm-proxy a1, gateway a1 · 0.9.0: gateway b2',
      'note settings: replicas differ in gateway CODELAB_QUOTA_OWNER_BYTES',
    ],
  ],
  [
    'a clock that is ahead',
    { services: [...WELL.services.slice(1), service('gateway', { clockMs: 90_000 })] },
    ['wrong clocks: gateway a1: 90.0 s'],
  ],
  [
    'lag',
    {
      queues: [
        { queue: 'sessions', shard: 1, depth: 4, waiting: 3, lagMs: 31_000 },
        { queue: 'models', shard: 0, depth: 9, waiting: 2, lagMs: 11_000 },
      ],
      wakes: 5_000,
    },
    [
      'wrong queue of sessions: 3 wait, the oldest for 31.0 s',
      'note queue of models: 2 wait, the oldest for 11.0 s',
      'note wakes: 5000 wait',
    ],
  ],
  [
    'leases',
    { stuck: [{ sid: 's1', why: 'far', ms: 60_000, worker: 'w' }] },
    ['wrong leases: 1 of 7 sessions with work have a lease that ends later than any lease does: cl:{s1}:meta (w, 60.0 s)'],
  ],
  [
    'quotas',
    { stored: { totalBytes: 0, largestOwnerBytes: 1_000, largestTenantBytes: 7_000 } },
    ['note tenant quota: the largest stores 0.0 MB of 0.0 MB', 'wrong person quota: the largest stores 0.0 MB of 0.0 MB'],
  ],
])('the services: %s', (_, changes, expected) => expect(troubles(changes)).toEqual(expected));

const SILENT = { address: '10.0.0.2:6379', problem: 'connect ECONNREFUSED' };
const SENTINELS = { answering: ['10.0.1.1:26379', '10.0.1.2:26379'], silent: [], quorum: 2 };
const CLUSTER = { failing: [], uncoveredSlots: 0, withoutReplica: [] };
const MANY: Omit<StoreInspection, 'work'> = {
  ...{ nodes: [NODE], silent: [SILENT] },
  sentinels: { ...SENTINELS, silent: [{ address: '10.0.1.3:26379', problem: 'timeout' }], problem: 'NOQUORUM 1 usable Sentinels' },
  cluster: { failing: ['10.0.0.1:6379'], uncoveredSlots: 5_461, withoutReplica: ['10.0.0.1:6379', '10.0.0.3:6379'] },
};

test.each<[string, Partial<StoreInspection>, readonly string[]]>([
  ['sentinels that agree', { nodes: [NODE, { ...NODE, role: 'slave' }], sentinels: SENTINELS }, []],
  ['a cluster that is whole', { nodes: [NODE, NODE], cluster: CLUSTER }, []],
  ['a master alone', { sentinels: SENTINELS }, ['note Redis replication: the master has no replica: no server can take over from it']],
  [
    'everything',
    MANY,
    [
      'wrong Redis 10.0.0.2:6379: no answer (connect ECONNREFUSED)',
      'wrong Redis sentinels: 2 answer, quorum 2: no failover can be agreed on (NOQUORUM 1 usable Sentinels)',
      'wrong Redis sentinel 10.0.1.3:26379: no answer (timeout)',
      'wrong Redis cluster: cluster_state is fail, say 10.0.0.1:6379: commands are refused there',
      'wrong Redis cluster: 5461 of 16384 slots have no server: what is stored there can not be reached',
      'note Redis cluster: no replica of 10.0.0.1:6379, 10.0.0.3:6379: no server can take over',
    ],
  ],
  [
    'data that can not be read',
    { work: { problem: 'CLUSTERDOWN' } },
    ['wrong Redis data: services, queues, leases and quotas could not be read (CLUSTERDOWN)'],
  ],
])('several servers: %s', (_, changes, expected) => expect(serverTroubles(changes)).toEqual(expected));

test('what can not be reached is wrong, and everything that is not right says what to do', () => {
  const probes = [
    { url: 'http://a', problem: 'ECONNREFUSED' },
    { url: 'http://b', status: 503, waitingFor: ['redis'] },
  ];
  expect(troubles({}, probes)).toEqual(['wrong http://a: no answer (ECONNREFUSED)', 'wrong http://b: not ready (503): it waits for redis']);
  const nodes = [{ ...NODE, maxBytes: 0, appendonly: undefined, busyShare: 0.9 }];
  const all = [
    ...judge({ ...MANY, nodes, work: { ...WELL, services: [] } }, probes),
    ...judge({ ...MANY, work: { problem: 'CLUSTERDOWN' } }),
  ];
  for (const { state, remedy } of all) if (state !== 'right') expect(remedy).toMatch(/\w/);
});
