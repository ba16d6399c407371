import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import { eventually, forAtMost, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { TestSession } from '../../../test/test-session.js';
import { connectBus, type Bus } from '../create-bus.js';

const SERVICES = 3;
/** What may happen to a store or to a service; the number says which service. */
type Event =
  | { readonly kind: 'flush' | 'everysec' | 'always' | 'forget' | 'restart' | 'kill' | 'cut' }
  | { readonly kind: 'service'; readonly index: number };

const events = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('service' as const), index: fc.nat(SERVICES - 1) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('flush', 'everysec', 'always', 'forget', 'cut') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('restart', 'kill') }) },
  ),
  { minLength: 2, maxLength: 8 },
) satisfies fc.Arbitrary<readonly Event[]>;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis({ aof: true });
});
afterAll(() => redis.close());

const connect = (): Promise<Bus> => connectBus({ url: redis.url, signal: AbortSignal.timeout(15_000) });

/** Each service in turn writes to one session, the first of them as its holder. Returns the epochs that the log has shown. */
const workTogether = async (buses: readonly Bus[]): Promise<readonly string[]> => {
  const session = await TestSession.join(buses[0] as Bus, redis);
  const epochs = [session.meta.epoch];
  await session.say('go');
  await session.take();
  for (const bus of [...buses, ...buses]) {
    await bus.store.patch(session.ref, { title: 'x' });
    expect(await session.commit({ frames: ['{}'] })).toMatchObject({ seq: expect.any(Number) });
    epochs.push((await bus.store.readMeta(session.ref))?.epoch ?? 'none');
  }
  return epochs;
};

test(
  verifies('G3:one-life', 'whoever connects when, all agree on one life of the store, which is replaced at most once for each loss'),
  async () => {
    await fc.assert(
      fc.asyncProperty(
        events,
        forAtMost(60_000, async (happens) => {
          const buses = await Promise.all(Array.from({ length: SERVICES }, connect));
          const lives: (string | null)[] = [await redis.client.hget('cl:{store}', 'name')];
          let losses = 0;
          const act: Readonly<Record<Exclude<Event['kind'], 'service'>, () => Promise<unknown>>> = {
            flush: () => redis.client.flushall(),
            forget: () => redis.client.script('FLUSH'),
            everysec: () => redis.client.config('SET', 'appendfsync', 'everysec'),
            always: () => redis.client.config('SET', 'appendfsync', 'always'),
            cut: () => redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal'),
            restart: () => redis.restart(),
            kill: async () => {
              await redis.kill();
              await redis.start();
            },
          };
          try {
            for (const event of happens) {
              if (event.kind === 'service') {
                await buses[event.index]?.close();
                buses[event.index] = await connect();
              } else {
                if (['flush', 'restart', 'kill'].includes(event.kind)) losses += 1;
                await eventually('the test is connected', () => redis.client.status === 'ready');
                await act[event.kind]();
              }
              const name = await redis.client.hget('cl:{store}', 'name').catch(() => null);
              if (name !== null && name !== lives.at(-1)) lives.push(name);
            }
            await eventually('all are back', () => buses.every((bus) => bus.health().isHealthy));
            expect(new Set(await workTogether(buses)).size).toBe(1);
            const name = await redis.client.hget('cl:{store}', 'name');
            if (name !== lives.at(-1)) lives.push(name);
            expect(lives.length - 1).toBeLessThanOrEqual(losses);
          } finally {
            await Promise.all(buses.map((bus) => bus.close()));
            await redis.client.config('SET', 'appendfsync', 'always');
          }
        }),
      ),
      { numRuns: 12 },
    );
  },
);

test(
  verifies(
    'G3:life-same-run',
    'a change of appendfsync loses nothing: the epoch stays, and a later restart counts as a loss only if it was weak',
  ),
  async () => {
    const bus = await connect();
    const session = await TestSession.join(bus, redis);
    const epochs = async (): Promise<readonly (string | undefined)[]> => {
      const late = await connect();
      await late.store.patch(session.ref, { title: 'x' });
      const seen = (await late.store.readMeta(session.ref))?.epoch;
      await late.close();
      return [seen];
    };
    await redis.client.config('SET', 'appendfsync', 'everysec');
    expect(await epochs()).toEqual([session.meta.epoch]);
    await redis.restart(); // it comes back with `always`, but was not when it went
    await eventually('the bus is back', () => bus.health().isHealthy);
    const [weak] = await epochs();
    expect(weak).not.toBe(session.meta.epoch);
    await redis.kill();
    await redis.start();
    await eventually('the bus is back', () => bus.health().isHealthy);
    expect(await epochs()).toEqual([weak]);
    await bus.close();
  },
);

test(
  verifies('G3:life-lost', 'a record that goes while services work is made anew by the first script that misses it, and all go on'),
  async () => {
    const buses = await Promise.all([connect(), connect(), connect()]);
    const session = await TestSession.join(buses[0], redis);
    await redis.client.del('cl:{store}');
    const answers = await Promise.all(buses.map((bus) => bus.store.patch(session.ref, { title: 'x' })));
    expect(answers).toMatchObject([{ title: 'x' }, { title: 'x' }, { title: 'x' }]);
    const first = (await buses[0]?.store.readMeta(session.ref))?.epoch;
    expect(first).not.toBe(session.meta.epoch); // what else went with the record is not known
    expect(new Set(await workTogether(buses)).size).toBe(1);
    expect((await buses[2]?.store.readMeta(session.ref))?.epoch).toBe(first);
    await Promise.all(buses.map((bus) => bus.close()));
  },
);
