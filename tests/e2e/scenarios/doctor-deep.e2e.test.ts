import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis, eventually, verifies } from '@codelab/testkit';
import { runCommand, startSystem, type System } from '../start-system.js';
import { connectWire } from '../wire-client.js';

let system: System;

beforeAll(async () => {
  system = await startSystem({ env: { CODELAB_QUOTA_OWNER_BYTES: '1000000000' } });
}, 60_000);
afterAll(() => system.stop());

interface Report {
  readonly ok: boolean;
  readonly findings: readonly { readonly state: string; readonly subject: string; readonly found: string; readonly remedy?: string }[];
}

const examine = async (): Promise<Report & { readonly code: number | null }> => {
  const { code, stdout } = await runCommand(['doctor', '--deep', '--json', '--service', 'http://127.0.0.1:1'], { env: system.env });
  return { code, ...(JSON.parse(stdout) as Report) };
};

test(
  verifies('G2:doctor-deep', 'a look at a running stack finds what is wrong with it, says what to do, and changes nothing'),
  async () => {
    // On a busy machine a stack that has just begun may be late with something.
    const well = await eventually('the stack is well', async () => {
      const said = await runCommand(['doctor', '--deep'], { env: system.env });
      return said.code === 0 ? said : undefined;
    });
    expect(well).toMatchObject({ stdout: expect.stringMatching(/gateway +1 ready[^]*The stack (?:is well|works)/) });

    const redis = connectRedis(system.redis.url);
    const client = await connectWire({
      ws: system.gateways[0]?.ws ?? '',
      token: system.token,
      session: 'looked-at',
      hello: { client_id: 'c' },
    });
    await client.waitForType('welcome');
    const meta = await eventually('the session', async () => (await redis.keys('cl:{*}:meta'))[0]);
    const sid = /\{(.*)\}/.exec(meta)![1]!;
    for (const { url } of system.runtimes) process.kill(await system.pidOf(url), 'SIGSTOP'); // nobody takes what is due
    const now = Date.now();
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await redis.config('SET', 'appendfsync', 'everysec');
    await redis.zadd('cl:{due:3}', now - 60_000, 'of-nobody');
    await redis.zadd('cl:{due:4}', now + 60_000, sid);
    await redis.hset(meta, { lease_owner: 'worker_of_tomorrow', lease_until: String(now + 3_600_000) });
    await redis.zadd('cl:{stored}:owners', 2e9, 'somebody');
    const report = { service: 'gateway', replica: 'old', version: '0.0.1', startedAtMs: 1, atMs: now + 60_000, waitingFor: ['redis'] };
    const beside = { numbers: {}, histograms: [], settings: [] };
    await redis.set('cl:{services}:report:old', JSON.stringify({ ...report, ...beside }), 'PX', 15_000);
    await redis.zadd('cl:{services}:replicas', now + 15_000, 'old');

    const { code, ok, findings } = await examine();
    expect([code, ok]).toEqual([1, false]);
    expect(await redis.zscore('cl:{due:3}', 'of-nobody')).toBe(String(now - 60_000));
    expect(await redis.hget(meta, 'lease_owner')).toBe('worker_of_tomorrow');
    const wrong = Object.fromEntries(
      findings.filter(({ state }) => state !== 'right').map((one) => [`${one.state} ${one.subject}`, one.found]),
    );
    expect(wrong).toMatchObject({
      'wrong Redis memory': expect.stringContaining('allkeys-lru: it throws sessions away'),
      'note Redis persistence': expect.stringContaining('appendfsync everysec'),
      'wrong http://127.0.0.1:1': expect.stringContaining('no answer'),
      [`wrong ${system.runtimes[0]?.url ?? ''}`]: expect.stringContaining('nothing within'),
      'note gateway': 'gateway old waits for redis',
      'note versions': expect.stringMatching(/0\.0\.1: gateway old/),
      'wrong clocks': expect.stringMatching(/gateway old: (?:59|60)\.\d s/),
      'wrong queue of sessions': expect.stringMatching(/1 wait, the oldest for 6\d\.\d s/),
      'wrong leases': expect.stringMatching(/worker_of_tomorrow|of-nobody/),
      'wrong person quota': expect.stringContaining('2000.0 MB of 1000.0 MB'),
    });
    expect(findings.filter(({ subject }) => subject === 'leases').map(({ found }) => found)).toEqual([
      expect.stringMatching(/should have been taken by a runtime: cl:\{of-nobody\}:meta/),
      expect.stringMatching(/lease that ends later than any lease does: cl:\{.+\}:meta \(worker_of_tomorrow, 3\d{3}\.\d s\)/),
    ]);
    for (const { state, remedy } of findings) if (state !== 'right') expect(remedy).toMatch(/\w/);

    for (const { pid } of system.runtimes) process.kill(pid, 'SIGCONT');
    redis.disconnect();
    await client.close();
  },
  60_000,
);

test('a store that does not answer is said so', async () => {
  const password = randomUUID();
  const { code, stdout } = await runCommand(['doctor', '--deep', '--redis', `redis://:${password}@127.0.0.1:1`], { env: system.env });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/✗ Redis {2}no answer \(.*ECONNREFUSED/)]);
  expect(stdout).not.toContain(password);
});
