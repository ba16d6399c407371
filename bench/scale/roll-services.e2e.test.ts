import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { rollServices } from './roll-services.js';

test(
  verifies('R4:come-and-go', 'a gateway, a runtime and a proxy are added, the ones before are drained, and nobody sees an error'),
  async () => {
    const env = { GATEWAY_DRAIN_SPREAD_MS: '200' };
    const outcome = await rollServices({ people: 4, rounds: 1, pauseMs: 300, modelMs: 50, tellsBalancers: true, env });
    expect(outcome.errors).toEqual([]);
    expect(outcome).toMatchObject({ added: 3, drained: 3 });
    expect(outcome.reconnections).toBeGreaterThanOrEqual(4);
    expect(Math.min(outcome.turns, outcome.answers)).toBeGreaterThan(10);
  },
);
