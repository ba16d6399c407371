import { expect, test } from 'vitest';
import type { InspectedNode, InspectedService, StoreInspection } from '@codelab/bus';
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

const WELL: StoreInspection = {
  nodes: [NODE],
  services: ['gateway', 'agent-runtime', 'llm-proxy'].map((name) => service(name)),
  ...{ queues: [], wakes: 0, stuck: [], lookedAt: 7, stored: { totalBytes: 10, largestOwnerBytes: 10, largestTenantBytes: 10 } },
};

const look = (changes: Partial<StoreInspection>, more: Partial<DeepLook> = {}) =>
  judgeDeep({ inspection: { ...WELL, ...changes }, probes: [], quotas: { ownerBytes: 1_000, tenantBytes: 8_000 }, ...more });

/** What isn't right, in one line each. */
const troubles = (...asked: Parameters<typeof look>): readonly string[] =>
  look(...asked)
    .filter(({ state }) => state !== 'right')
    .map(({ state, subject, found }) => `${state} ${subject}: ${found}`);

test('a stack that is well has no finding, and each part of it is named', () => {
  expect(troubles({})).toEqual([]);
  expect(look({}, { probes: [{ url: 'http://a', status: 200 }] }).map(({ subject }) => subject)).toEqual([
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
  ['another clock', { clockMs: -5_000 }, 'wrong clocks: this machine and Redis 10.0.0.1:6379: -5.0 s'],
])('Redis: %s', (_, changes, expected) => expect(troubles({ nodes: [{ ...NODE, ...changes }] })).toEqual([expected]));

test.each<[string, Partial<StoreInspection>, readonly string[]]>([
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

test('what can not be reached is wrong, and everything that is not right says what to do', () => {
  const probes = [
    { url: 'http://a', problem: 'ECONNREFUSED' },
    { url: 'http://b', status: 503, waitingFor: ['redis'] },
  ];
  expect(troubles({}, { probes })).toEqual([
    'wrong http://a: no answer (ECONNREFUSED)',
    'wrong http://b: not ready (503): it waits for redis',
  ]);
  const all = [...look({ services: [], nodes: [{ ...NODE, maxBytes: 0, appendonly: undefined }] }, { probes })];
  for (const { state, remedy } of all) if (state !== 'right') expect(remedy).toMatch(/\w/);
});
