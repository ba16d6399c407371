import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ownerHash, sessionRef } from '../../session-ref.js';
import { createKeys } from './keys.js';
import { toRedisPlace } from '../connection/redis-url.js';

test(verifies('S1:names', 'the names of sessions and keys are what is stored: another one loses what is there'), () => {
  const owner = { tenant: 'acme', sub: 'ann' };
  const { sid } = sessionRef(owner, 'main');
  expect(sid).toBe('zwrh2nzqdw32mpkgkg2ulh6fsd');
  expect(ownerHash(owner)).toBe('lakyqigebpgxyn2vtw327pkuat');
  const keys = createKeys();
  const session = keys.session(sid);
  expect([...session.all, session.children, session.step('step_1'), session.live, session.wake, session.delta, session.stop]).toEqual(
    [
      ...['meta', 'log', 'inbox', 'calls', 'queue', 'messages', 'history', 'todos', 'rules', 'audit'],
      ...['children', 'step:step_1', 'frames', 'wake', 'delta', 'stop'],
    ].map((noun) => `cl:{zwrh2nzqdw32mpkgkg2ulh6fsd}:${noun}`),
  );
  expect([keys.due(sid), keys.models(sid), keys.owned(owner), keys.store, keys.queuePrefix, keys.modelFacts]).toEqual([
    ...['cl:{due:9}', 'cl:{models:0}', 'cl:{own:lakyqigebpgxyn2vtw327pkuat}:sessions', 'cl:{store}', 'cl:{wake}', 'cl:{models}:facts'],
  ]);
  expect([keys.present(owner), keys.held]).toEqual(['cl:{own:lakyqigebpgxyn2vtw327pkuat}:present', 'cl:{held}']);
  expect([keys.rulesOf(owner), keys.auditOf(owner), keys.toolsOf(owner), keys.handover(owner, 'call_1')]).toEqual(
    ['rules', 'audit', 'tools', 'handover:call_1'].map((noun) => `cl:{own:lakyqigebpgxyn2vtw327pkuat}:${noun}`),
  );
  expect(keys.toolsOfServer('docs')).toBe('cl:{mcp:docs}:tools');
  expect([keys.publishedTools, keys.publishedList('a1')]).toEqual(['cl:{published}:tools', 'cl:{published}:list:a1']);
  const { usage, ...ledger } = keys.ledger(owner);
  expect([...Object.values(ledger), usage('20261122')]).toEqual(
    [...['rates', 'spent', 'reserved', 'reservation_ends', 'writers', 'tool_calls'], 'usage:20261122'].map(
      (noun) => `cl:{own:lakyqigebpgxyn2vtw327pkuat}:${noun}`,
    ),
  );
  expect(keys.everyDue).toHaveLength(16);
  expect([...keys.everyModels, ...keys.everyWakes]).toEqual(['cl:{models:0}', 'cl:{wake}']);
});

test('in a cluster model requests and wakes have several queues, whose slots are far from each other', () => {
  const keys = createKeys('', 'cluster');
  const shards = Array.from({ length: 64 }, (_, n) => sessionRef({ tenant: 'acme', sub: 'ann' }, `s-${String(n)}`).sid);
  expect(new Set(shards.map((sid) => keys.models(sid)))).toEqual(new Set(keys.everyModels));
  expect(new Set(shards.map((sid) => keys.wakes(sid)))).toEqual(new Set(keys.everyWakes));
  expect(keys.everyModels).toEqual(['cl:{models:0}', 'cl:{models:1}', 'cl:{models:2}', 'cl:{models:3}']);
  expect(keys.everyWakes).toEqual(['cl:{wake}', 'cl:{wake:1}', 'cl:{wake:2}', 'cl:{wake:3}']);
  expect(keys.wakes(shards[0]!)).not.toContain('session-wake');
});

test(verifies('S1:owner-in-name', 'tenant, subject and session cannot be shifted into each other'), () => {
  const names = [
    sessionRef({ tenant: 'a', sub: 'bc' }, 'd'),
    sessionRef({ tenant: 'ab', sub: 'c' }, 'd'),
    sessionRef({ tenant: 'a', sub: 'b' }, 'cd'),
  ];
  expect(new Set(names.map(({ sid }) => sid)).size).toBe(3);
});

test('a Redis is named by a URL', () => {
  const server = (options: object) => ({ kind: 'server', options });
  expect(toRedisPlace('redis://127.0.0.1:6380/2')).toEqual(server({ host: '127.0.0.1', port: 6380, db: 2 }));
  expect(toRedisPlace('redis://:p%40ss@[::1]')).toEqual(server({ host: '::1', port: 6379, db: 0, password: 'p@ss' }));
  expect(toRedisPlace('rediss://u:p@example.com')).toMatchObject(server({ username: 'u', tls: { servername: 'example.com' } }));
  expect(toRedisPlace('unix:/tmp/redis.sock')).toEqual(server({ path: '/tmp/redis.sock' }));
  const sentinels = [
    { host: 'one', port: 1 },
    { host: 'two', port: 26_379 },
  ];
  expect(toRedisPlace('redis+sentinel://:s%40@one:1,two/main/3')).toEqual(server({ sentinels, name: 'main', db: 3, password: 's@' }));
  const nodes = [
    { host: 'one', port: 1 },
    { host: 'two', port: 6379 },
  ];
  expect(toRedisPlace('redis+cluster://u:p@one:1,two')).toEqual({ kind: 'cluster', nodes, options: { username: 'u', password: 'p' } });
  const wrongs = [
    'redis+sentinel://one:1',
    'redis+cluster://one/name',
    'redis+cluster://one?sentinelPassword=x',
    'redis+sentinel://a/n?x=y',
  ];
  for (const wrong of [...wrongs, 'redis+other://one', 'rediss+sentinel://one']) {
    expect(() => toRedisPlace(wrong)).toThrow('REDIS_URL is not redis+sentinel:');
  }
  expect(() => toRedisPlace('http://example.com')).toThrow('REDIS_URL has the scheme http:');
});

test(
  verifies('G2:redis-tls', 'with TLS every server of Sentinel and Cluster is spoken to so, and sentinels have a password of their own'),
  () => {
    const nodes = [
      { host: 'one', port: 1 },
      { host: 'two', port: 6379 },
    ];
    expect(toRedisPlace('rediss+cluster://u:p@one:1,two')).toEqual({
      kind: 'cluster',
      nodes,
      options: { username: 'u', password: 'p', tls: {} },
    });
    const sentinels = [{ host: 'one', port: 26_379 }];
    const login = { username: 'u', password: 'p', sentinelPassword: 's/t@' };
    const secure = { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true };
    const url = '//u:p@one/main/2?sentinelPassword=s%2Ft%40';
    expect(toRedisPlace(`redis+sentinel:${url}`)).toEqual({ kind: 'server', options: { sentinels, name: 'main', db: 2, ...login } });
    expect(toRedisPlace(`rediss+sentinel:${url}`)).toEqual({
      kind: 'server',
      options: { sentinels, name: 'main', db: 2, ...login, ...secure },
    });
  },
);
