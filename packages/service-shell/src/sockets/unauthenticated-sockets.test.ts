import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { GRACE_MS, UnauthenticatedSockets } from './unauthenticated-sockets.js';

const from = (remoteAddress: string): Socket => Object.assign(new PassThrough(), { remoteAddress }) as unknown as Socket;
const many = (count: number, address: string): Socket[] => Array.from({ length: count }, () => from(address));
const open = (sockets: readonly Socket[]): number => sockets.filter(({ destroyed }) => !destroyed).length;

test('a burst from one address gets a second, but not without end; then only its places are left', () => {
  let now = 0;
  const guard = new UnauthenticatedSockets({ total: 100, perAddress: 10 }, [], () => now);
  const burst = many(1_100, '203.0.113.7');
  for (const socket of burst) guard.arrive(socket);
  expect([open(burst), guard.refused]).toEqual([1_024, 76]);
  now = GRACE_MS - 1;
  guard.sweep();
  expect(open(burst)).toBe(1_024);
  now = GRACE_MS;
  guard.sweep();
  expect([open(burst), guard.size]).toEqual([10, 10]);
});

test('whoever authenticates in time is never counted out, whatever stands beside it', () => {
  let now = 0;
  const guard = new UnauthenticatedSockets({ total: 100, perAddress: 0 }, [], () => now);
  const sockets = many(200, '203.0.113.7');
  for (const socket of sockets) guard.arrive(socket);
  for (const socket of sockets.slice(0, 150)) guard.admit(socket);
  now = GRACE_MS;
  guard.sweep();
  expect([open(sockets), guard.size]).toEqual([150, 0]);
  expect(guard.wait({ socket: from('203.0.113.7'), headers: {} } as IncomingMessage)).toBe(false);
});
