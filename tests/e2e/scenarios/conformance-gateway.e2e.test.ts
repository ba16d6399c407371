import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { checkConformance, notPassed } from '../conformance-kit.js';
import { startSystem, type System } from '../start-system.js';

let system: System;

beforeAll(async () => {
  system = await startSystem({ env: { CODELAB_TOKENS: 'ann-key=acme/ann,bob-key=acme/bob' } });
});
afterAll(() => system.stop());

/** A shell command that sends a signal to the gateway that answers now. */
const signal = (name: string): string =>
  `'${process.execPath}' -e "fetch('${system.gateways[0]?.url ?? ''}/health').then((r) => r.json()).then(({ pid }) => process.kill(pid, '${name}'))"`;

test(
  verifies('L3:conformance-own-gateway', 'our own gateway passes every check of the conformance kit for gateways, killed and drained'),
  async () => {
    const tokens = ['--token', 'ann-key', '--other-token', 'bob-key'];
    const ends = ['--kill', signal('SIGKILL'), '--drain', signal('SIGTERM')];
    const { code, results } = await checkConformance(['--url', system.gateways[0]?.ws ?? '', ...tokens, ...ends]);
    expect([code, notPassed(results)]).toEqual([0, []]);
  },
  300_000,
);

test('a gateway that is not there fails each check, and a name that is no check is told', async () => {
  const gone = await checkConformance(['--url', 'ws://127.0.0.1:1', '--token', 'x', '--only', 'door.welcome']);
  expect([gone.code, gone.results.map(({ outcome, why }) => [outcome, why])]).toEqual([
    1,
    [['failed', expect.stringContaining('can not be connected to')]],
  ]);
  await expect(checkConformance(['--url', 'ws://127.0.0.1:1', '--token', 'x', '--only', 'dor'])).rejects.toThrow('There is no check dor');
});
