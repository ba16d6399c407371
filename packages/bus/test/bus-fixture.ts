import { afterAll, beforeAll } from 'vitest';
import { startRedis, type TestRedis, type TestRedisOptions } from '@codelab/testkit';
import { connectBus, type Bus, type BusOptions } from '../src/redis/index.js';
import { TestSession, type SessionSetting } from './test-session.js';

/** A Redis and a bus for the tests of one file, gone after them. */
export interface BusFixture {
  readonly redis: TestRedis;
  readonly bus: Bus;
  /** A new session of its own. */
  session(setting?: SessionSetting): Promise<TestSession>;
  /** Another service on the same Redis. */
  another(options?: Partial<BusOptions>): Promise<Bus>;
}

/** Starts both before the tests of a file, and closes whatever they opened. */
export function useBus(redisOptions: TestRedisOptions = {}, busOptions: Partial<BusOptions> = {}): BusFixture {
  let redis: TestRedis | undefined;
  const opened: Bus[] = [];
  const another = async (options: Partial<BusOptions> = {}): Promise<Bus> => {
    const bus = await connectBus({ signal: AbortSignal.timeout(45_000), url: fixture.redis.url, ...busOptions, ...options });
    opened.push(bus);
    return bus;
  };
  beforeAll(async () => {
    redis = await startRedis(redisOptions);
    await another();
  });
  afterAll(async () => {
    await Promise.all(opened.map((bus) => bus.close()));
    await redis?.close();
  });
  const fixture: BusFixture = {
    get redis() {
      if (redis === undefined) throw new Error('Redis starts in beforeAll');
      return redis;
    },
    get bus() {
      const [bus] = opened;
      if (bus === undefined) throw new Error('the bus starts in beforeAll');
      return bus;
    },
    session: (setting) => TestSession.join(fixture.bus, fixture.redis, setting),
    another,
  };
  return fixture;
}
