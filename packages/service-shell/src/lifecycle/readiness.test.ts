import { expect, test } from '@jest/globals';
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
