import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { useBus } from '../../test/bus-fixture.js';

const fixture = useBus();
const LIST = 'cl:{services}:replicas';
const REPORT = {
  ...{ service: 'gateway', replica: 'abc', version: '1', startedAtMs: 1, atMs: 2, waitingFor: [] },
  ...{ numbers: {}, histograms: [], settings: [] },
} as const;

test(
  verifies('G2:reports-read', 'reports are read from a store that refuses writes; one that is over goes with the next that is published'),
  async () => {
    const { redis, bus } = fixture;
    await bus.serviceReports.publish(REPORT);
    await redis.client.zadd(LIST, 1, 'gone');
    await redis.client.config('SET', 'min-replicas-to-write', '1');
    expect(await bus.serviceReports.read()).toEqual([REPORT]);
    await redis.client.config('SET', 'min-replicas-to-write', '0');
    expect(await redis.client.zrange(LIST, '0', '-1')).toEqual(['gone', 'abc']);
    await bus.serviceReports.publish(REPORT);
    expect(await redis.client.zrange(LIST, '0', '-1')).toEqual(['abc']);
  },
);
