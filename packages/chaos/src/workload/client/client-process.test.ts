import { expect, test } from 'vitest';
import { ClientProcess } from './client-process.js';

test('a client that was closed is not started again by a fault that is healed later', async () => {
  let taken = 0;
  const pool = {
    take: () => {
      taken += 1;
      throw new Error('no process is wanted');
    },
    close: () => undefined,
  };
  const client = new ClientProcess({ name: 'client-1', url: 'ws://nowhere', origin: 0n, pool, record: () => undefined });
  await client.close(1);
  await client.restart();
  expect([client.state, taken]).toEqual(['down', 0]);
});
