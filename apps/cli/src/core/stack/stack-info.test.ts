import { expect, test } from 'vitest';
import { parseStackRecord, type StackRecord } from '@codelab/client/local-stack';
import { describeStack } from './stack-info.js';
import { toRedisConf } from './redis-conf.js';
const record: StackRecord = {
  gateways: [{ url: 'http://127.0.0.1:8000', ws: 'ws://127.0.0.1:8000/ws', pid: 2 }],
  runtimes: [{ url: 'http://127.0.0.1:8001', pid: 3 }],
  proxies: [{ url: 'http://127.0.0.1:8002', pid: 4 }],
  redis: { url: 'redis://:secret@cache:6379', pid: null },
  token: 'cl_token',
  pid: 1,
};

test('a record is read back; half of one, or something else, counts as none', () => {
  expect(parseStackRecord(JSON.stringify(record))).toEqual(record);
  for (const text of ['', '{', 'null', '[]', '{"pid":1}', JSON.stringify({ ...record, gateways: [] })])
    expect(parseStackRecord(text)).toBeUndefined();
});

test('a person reads where everything is, and neither the token nor a password', () => {
  const text = describeStack(record, '/data');
  expect(text).toContain('gateway        http://127.0.0.1:8000   sessions on ws://127.0.0.1:8000/ws/{session_id}');
  expect(text).toContain('console        http://127.0.0.1:8000/   in a browser, signed in with the token');
  expect(text).toContain('redis          redis://cache:6379');
  expect(text).toContain('Talk to it: codelab chat    Stop it: Ctrl-C');
  expect(text).not.toMatch(/secret|cl_token/);
  const watched = { url: 'rediss+sentinel://:secret@one,two/main?sentinelPassword=secret', pid: null };
  expect(describeStack({ ...record, redis: watched }, '/data')).toMatch(/redis {10}rediss\+sentinel:\/\/one,two\/main$/m);
});

test('the private Redis keeps every write, evicts nothing, and lives in a folder of any name', () => {
  const conf = toRedisConf({ port: 1234, password: 'secret', directory: '/home/a "b"/c\\d' });
  expect(conf.split('\n')).toEqual(
    expect.arrayContaining([
      'bind 127.0.0.1',
      'port 1234',
      'appendonly yes',
      'appendfsync always',
      'maxmemory-policy noeviction',
      'dir "/home/a \\"b\\"/c\\\\d"',
    ]),
  );
});
