import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { planProgram, versionIn, type ProgramFacts } from './plan-program.js';
import { programsOfChat, REDIS_SERVER, RIPGREP } from './program-need.js';

const BARE: ProgramFacts = { found: undefined, way: 'unpack', offered: undefined };
const at = (version: string) => ({ path: '/usr/bin/redis-server', version });

test.each([
  ['is there', { found: at('7.0.15') }, { kind: 'present', ...at('7.0.15') }],
  ['is there and hides its version', { found: at('') }, { kind: 'present', ...at('') }],
  ['is missing', {}, { kind: 'fetch', way: 'unpack', packageName: 'redis-server', lack: 'not installed' }],
  [
    'is missing, for root',
    { way: 'install' as const },
    { kind: 'fetch', way: 'install', packageName: 'redis-server', lack: 'not installed' },
  ],
  [
    'is too old',
    { found: at('6.0.16'), offered: '7.2.4' },
    { kind: 'fetch', way: 'unpack', packageName: 'redis-server', lack: '6.0.16 is too old' },
  ],
  ['is offered too old', { offered: '6.0.16' }, { kind: 'lacking', lack: 'not installed, and apt-get has 6.0.16 only, which is too old' }],
  ['is missing where there is no apt', { way: 'none' as const }, { kind: 'lacking', lack: 'not installed' }],
])(verifies('G2:programs', 'a Redis that %s is used, fetched, or asked for'), (_, facts, plan) => {
  expect(planProgram(REDIS_SERVER, { ...BARE, ...facts })).toEqual(plan);
});

test('what is not used here is never fetched', () => {
  const needs = programsOfChat({ kind: 'elsewhere', because: 'REDIS_URL names another Redis' });
  const fetched = needs.filter((need) => planProgram(need, BARE).kind === 'fetch');
  expect(fetched.map(({ name }) => name)).toEqual(['git', 'rg']);
  expect(planProgram(RIPGREP, { ...BARE, found: { path: '/usr/bin/rg', version: '0.9' } }).kind).toBe('present');
});

test.each([
  ['Redis server v=7.0.15 sha=00000000:0', '7.0.15'],
  ['git version 2.39.5', '2.39.5'],
  ['BusyBox', ''],
])('%j is version %j', (said, version) => expect(versionIn(said)).toBe(version));
