import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { connectBus } from '../create-bus.js';

const fixture = useBus({ snapshot: true });

const set = (name: string, value: string): Promise<unknown> => fixture.redis.client.config('SET', name, value);
const fileInTheWay = (): string => join(dirname(fixture.redis.socket), 'dump.rdb');

const REFUSALS: Readonly<Record<string, { readonly begin: () => Promise<unknown>; readonly end: () => Promise<unknown> }>> = {
  OOM: { begin: () => set('maxmemory', '1'), end: () => set('maxmemory', '0') },
  NOREPLICAS: { begin: () => set('min-replicas-to-write', '1'), end: () => set('min-replicas-to-write', '0') },
  READONLY: {
    begin: () => fixture.redis.client.replicaof('127.0.0.1', 1),
    end: () => fixture.redis.client.replicaof('NO', 'ONE'),
  },
  MISCONF: {
    begin: async () => {
      await mkdir(fileInTheWay());
      await fixture.redis.client.bgsave();
    },
    end: async () => {
      await rmdir(fileInTheWay());
      await fixture.redis.client.bgsave();
    },
  },
};

test.each(Object.keys(REFUSALS))(
  verifies('G4:refused-writes', 'a Redis that answers %s takes no writes: the bus is not healthy, says why, and heals by itself'),
  async (word) => {
    const { bus } = fixture;
    await bus.store.list({ tenant: 'a', sub: 'b' }, { offset: 0, limit: 1 });
    await REFUSALS[word]?.begin();
    await eventually('the bus notices', () => bus.health().reason?.includes(word));
    expect(bus.health().isHealthy).toBe(false);
    await REFUSALS[word]?.end();
    await eventually('the bus is healthy', () => bus.health().isHealthy);
    expect(bus.health()).toEqual({ isHealthy: true });
    expect((await (await fixture.session()).say('go')).kind).toBe('accepted');
  },
);

test(
  verifies('G4:refused-writes', 'a Redis that loads its data is there and not ready: the bus says LOADING, and is healthy after it'),
  async () => {
    const redis = await startRedis({ snapshot: true, loadDelayUs: 10_000 });
    const bus = await connectBus({ url: redis.url });
    try {
      await redis.client.mset(Array.from({ length: 200 }, (_, place) => [`key${String(place)}`, 'x'.repeat(100)]).flat());
      const restarted = redis.restart();
      await eventually('the bus notices', () => bus.health().reason?.includes('LOADING'));
      expect(bus.health().isHealthy).toBe(false);
      await restarted;
      await eventually('the bus is healthy', () => bus.health().isHealthy);
    } finally {
      await bus.close();
      await redis.close();
    }
  },
);
