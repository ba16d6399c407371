import { expect, test } from 'vitest';
import { toRedisAddress } from './redis-address.js';

test.each([
  ['redis://127.0.0.1', { at: { host: '127.0.0.1', port: 6379 }, tls: false, login: [], shown: '127.0.0.1:6379' }],
  ['redis://:p%40ss@[::1]:7000/2', { at: { host: '::1', port: 7000 }, tls: false, login: ['AUTH', 'p@ss'], shown: '[::1]:7000' }],
  [
    'rediss://ann:secret@cache:6380',
    { at: { host: 'cache', port: 6380 }, tls: true, login: ['AUTH', 'ann', 'secret'], shown: 'cache:6380' },
  ],
  ['unix:/run/redis.sock', { at: { path: '/run/redis.sock' }, tls: false, login: [], shown: '/run/redis.sock' }],
  ['/run/redis.sock', { at: { path: '/run/redis.sock' }, tls: false, login: [], shown: '/run/redis.sock' }],
])('%s names one server', (url, address) => expect(toRedisAddress(url)).toEqual(address));

test.each(['redis+sentinel://a:26379,b/mymaster', 'redis+cluster://a:7000,b:7001', 'rediss+sentinel://a/m', 'rediss+cluster://a:7000,b'])(
  '%s names several',
  (url) => {
    expect(toRedisAddress(url)).toBeUndefined();
  },
);
