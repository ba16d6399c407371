import { afterAll, afterEach, beforeAll } from 'vitest';
import { GatewayFixture, type GatewaySetting, type RedisOfTests } from './gateway-fixture.js';

/**
 * Starts a Redis and gateways on it before the tests of a file; closes what a test opened after that test, and the rest after the last.
 * `startRedis` is that of testkit: a test may import it, and a fixture beside the sources may not.
 */
export function useGateways<R extends RedisOfTests, O>(
  startRedis: (options?: O) => Promise<R>,
  setting: GatewaySetting = {},
): GatewayFixture<R, O> {
  const fixture = new GatewayFixture(startRedis, setting);
  beforeAll(() => fixture.start());
  afterEach(() => fixture.closeOpened());
  afterAll(() => fixture.close());
  return fixture;
}
