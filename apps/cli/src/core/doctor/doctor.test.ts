import { expect, test } from 'vitest';
import type { ProgramPlan } from '../programs/plan-program.js';
import { REDIS_SERVER, RIPGREP, type ProgramNeed } from '../programs/program-need.js';
import { paintLine } from '../text/paint-line.js';
import { judgeProgram, linesOfFindings } from './findings.js';
import { judgeRedis, judgeStored } from './judge-redis.js';
const states = (facts: Partial<Parameters<typeof judgeRedis>[0]>) =>
  judgeRedis({ version: '7.4.0', appendonly: 'yes', appendfsync: 'always', maxmemoryPolicy: 'noeviction', ...facts }).map(
    ({ state }) => state,
  );

test('a Redis that keeps every write and evicts nothing is right', () => {
  expect(states({})).toEqual(['right', 'right', 'right']);
});

test.each([
  [{ version: '6.2.14' }, ['wrong', 'right', 'right']],
  [{ appendfsync: 'everysec' }, ['right', 'note', 'right']],
  [{ appendonly: 'no' }, ['right', 'note', 'right']],
  [{ appendonly: undefined }, ['right', 'note', 'right']],
  [{ maxmemoryPolicy: 'allkeys-lru' }, ['right', 'right', 'wrong']],
])('of a Redis with %j each fact is judged by what it costs', (facts, expected) => expect(states(facts)).toEqual(expected));

test('who is near their quota is worth a word, with what to do', () => {
  expect(judgeStored({ total: 5_000_000, largestOwner: 2_000_000, ownerQuota: 10_000_000 })).toEqual({
    ...{ state: 'right', subject: 'Redis quota', found: 'sessions take 5.0 MB; the largest person 2.0 MB of 10.0 MB' },
  });
  expect(judgeStored({ total: 9_000_000, largestOwner: 9_000_000, ownerQuota: 10_000_000 }).state).toBe('note');
  expect(judgeStored({ total: 9_000_000, largestOwner: 9_000_000, ownerQuota: 0 }).found).toContain('of any amount');
});

test('the plan of a program is shown as what a chat would do: use it, fetch it, or stop', () => {
  const judge = (plan: ProgramPlan, need: ProgramNeed = REDIS_SERVER) => judgeProgram(need, plan, '/data/programs');
  expect(judge({ kind: 'present', path: '/usr/bin/redis-server', version: '7.0.15' })).toMatchObject({ state: 'right', found: '7.0.15' });
  expect(judge({ kind: 'lacking', lack: '6.0.16 is too old' })).toMatchObject({
    state: 'wrong',
    found: '6.0.16 is too old; `codelab up` starts it',
  });
  expect(judge({ kind: 'lacking', lack: 'not installed' }, RIPGREP).state).toBe('note');
  const fetch = { kind: 'fetch', packageName: 'redis-server', lack: 'not installed' } as const;
  expect(judge({ ...fetch, way: 'unpack' })).toMatchObject({
    state: 'note',
    remedy: '`codelab chat` gets it with apt-get, without root, into /data/programs',
  });
  expect(judge({ ...fetch, way: 'install' })).toMatchObject({
    state: 'note',
    remedy: '`codelab chat` installs it with apt-get: redis-server',
  });
});

test('what is missing is shown with how to get it, and counted', () => {
  const lines = linesOfFindings([
    { state: 'right', subject: 'node', found: '20.19.0' },
    { state: 'wrong', subject: 'git', found: 'not installed', remedy: 'apt-get install git' },
  ]);
  expect(lines.map((line) => paintLine(line))).toEqual([
    '✓ node  20.19.0',
    '✗ git   not installed',
    '        → apt-get install git',
    '',
    '1 thing keeps CodeLab from running.',
  ]);
});
