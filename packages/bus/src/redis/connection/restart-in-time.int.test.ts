import { expect, test } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { connectBus } from '../create-bus.js';

/** A Redis that loads says that it takes a second at least, and by itself a connection would wait for so long. */
const GUESSED_MS = 1_000;
/** What loading takes here: a key takes 5 ms. */
const KEYS = 60;

test(
  verifies(
    'R4:redis-loading',
    'the services serve again a moment after Redis has loaded its data, however long Redis says that it will take',
  ),
  async () => {
    const redis = await startRedis({ snapshot: true, loadDelayUs: 5_000 });
    const bus = await connectBus({ url: redis.url });
    try {
      await redis.client.mset(Array.from({ length: KEYS }, (_, place) => [`key${String(place)}`, 'x'.repeat(2_000)]).flat());
      const restart = async (): Promise<number> => {
        const began = performance.now();
        const restarted = redis.restart();
        await eventually('the bus notices', () => bus.status() === 'away');
        await eventually('the bus serves', () => bus.health().isHealthy);
        const tookMs = performance.now() - began;
        await restarted;
        return tookMs;
      };
      let best = await restart();
      for (let more = 0; more < 3 && best >= GUESSED_MS; more += 1) best = Math.min(best, await restart()); // the machine may be busy
      expect(best).toBeLessThan(GUESSED_MS);
    } finally {
      await bus.close();
      await redis.close();
    }
  },
);
