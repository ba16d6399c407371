import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '@codelab/testkit';
import type { ChaosEventBody } from '../recording/chaos-event.js';
import { RedisServer } from './redis-server.js';

let folder: string;
let server: RedisServer;
let events: ChaosEventBody[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-redis-'));
  events = [];
  const settings = ['--appendonly', 'yes', '--appendfsync', 'always'];
  server = new RedisServer({ name: 'redis', folder, settings }, () => ({ record: (event) => void events.push(event) }));
  await server.process.start();
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const losses = (): readonly ChaosEventBody[] => events.filter(({ kind }) => kind === 'store-lost');

test('a start that is ended on its way keeps no later one from starting', async () => {
  await server.process.end('SIGKILL');
  const ended = server.process.start().catch(() => 'ended');
  await eventually('it starts', () => Promise.resolve(server.process.state === 'starting'));
  await server.process.end('SIGKILL');
  await server.process.start();
  expect(server.process.state).toBe('up');
  expect(await ended).toBe('ended');
});

test('a server that is killed while it answers before it writes may have lost something, and only then', async () => {
  await server.process.end('SIGKILL');
  await server.process.start();
  await server.sync('everysec');
  await server.sync('always');
  await server.process.end('SIGKILL');
  expect(losses()).toEqual([]);
  await server.process.start();
  await server.sync('no');
  await server.process.end('SIGKILL');
  await eventually('the loss', () => Promise.resolve(losses().length === 1));
});
