import { expect, test } from 'vitest';
import { Readiness } from './readiness.js';

test('a service is ready when every gate is open, and says which are not', () => {
  const readiness = new Readiness();
  const seen: boolean[] = [];
  const redis = readiness.gate('redis');
  const keys = readiness.gate('jwks');
  const forget = readiness.onChange((ready) => seen.push(ready));
  expect(readiness.waitingFor).toEqual(['jwks', 'redis']);
  redis.open();
  redis.open();
  keys.open();
  redis.close();
  expect([readiness.ready, readiness.waitingFor]).toEqual([false, ['redis']]);
  forget();
  redis.open();
  expect([readiness.ready, seen]).toEqual([true, [true, false]]);
});

test('a gate that closes with a reason says it, until it opens', () => {
  const readiness = new Readiness();
  const heard: (() => void)[] = [];
  let health: { isHealthy: boolean; reason?: string } = { isHealthy: false };
  readiness.follow('redis', { health: () => health, onHealth: (listener) => void heard.push(listener) });
  expect([readiness.waitingFor, readiness.reasons]).toEqual([['redis'], {}]);
  health = { isHealthy: false, reason: 'OOM command not allowed' };
  heard[0]?.();
  expect([readiness.waitingFor, readiness.reasons]).toEqual([['redis'], { redis: 'OOM command not allowed' }]);
  health = { isHealthy: true };
  heard[0]?.();
  expect([readiness.ready, readiness.reasons]).toEqual([true, {}]);
});
