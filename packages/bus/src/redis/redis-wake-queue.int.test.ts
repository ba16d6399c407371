import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import type { Sid } from '../session-ref.js';
import { useBus } from '../../test/bus-fixture.js';
import { connectBus } from './create-bus.js';

const fixture = useBus();

/** A line to Redis. `goDead`: what stands by then stays open and brings nothing any more. */
const openLine = async (url: string) => {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const redis = connect(url.replace(/^unix:/, ''));
    for (const [from, into] of [
      [client, redis],
      [redis, client],
    ] as const) {
      sockets.add(from);
      from.pipe(into).on('error', () => undefined);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    goDead: () => sockets.forEach((socket) => socket.unpipe().resume()),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** A worker whose processing the test lets end. */
const workAt = async (bus = fixture.bus) => {
  const begun: Sid[] = [];
  const ends: (() => void)[] = [];
  const worker = await bus.wakes.work(
    (sid) => {
      begun.push(sid);
      return new Promise((resolve) => ends.push(resolve));
    },
    { concurrency: 5 },
  );
  const end = (): void => ends.splice(0).forEach((resolve) => resolve());
  return { begun, end, close: () => (end(), worker.close()) };
};

describe('a wake', () => {
  test(
    verifies('R4:wake-every-moment', 'comes through whenever in the life of an earlier one it is asked for, and never piles up'),
    async () => {
      const { wakes } = fixture.bus;
      const sid = (await fixture.session()).ref.sid;
      for (let repeat = 0; repeat < 3; repeat += 1) await wakes.wake(sid); // nobody works yet: they wait as one
      const { begun, end, close } = await workAt();
      await eventually('the waiting one', () => begun.length === 1);
      for (let repeat = 0; repeat < 3; repeat += 1) await wakes.wake(sid); // while it is processed: one more, after it
      await eventually('it waits for its turn', async () => (await fixture.redis.client.keys(`*:dn:${sid}`)).length === 1);
      expect(begun).toHaveLength(1);
      end();
      await eventually('the one after it', () => begun.length === 2);
      end();
      await eventually('nothing is left of it', async () => (await fixture.redis.client.keys(`*:de:${sid}`)).length === 0);
      await wakes.wake(sid); // after its completion
      await eventually('another one', () => begun.length === 3);
      end();
      await close();
      expect(await fixture.redis.client.keys('*session-wake:[0-9]*')).toEqual([]);
    },
  );

  test(verifies('R4:wake-unanswered', 'comes to a worker whose connections have gone dead without a word'), async () => {
    const redis = await startRedis(); // what a dead worker leaves would come to others
    const line = await openLine(redis.url);
    const [direct, bus] = [await connectBus({ url: redis.url }), await connectBus({ url: `redis://127.0.0.1:${String(line.port)}` })];
    const { begun, end, close } = await workAt(bus);
    const [first, second] = ['first', 'second'] as unknown as [Sid, Sid];
    await direct.wakes.wake(first);
    await eventually('the first', () => begun.length === 1);
    end();
    line.goDead();
    await direct.wakes.wake(second);
    await eventually('the second', () => begun.includes(second), { withinMs: 30_000 });
    end();
    line.close();
    await close();
    for (const one of [bus, direct]) await one.close();
    await redis.close();
  });

  test(verifies('R4:wake-unmarked', 'comes to a worker that met an error while it waited, though its mark is lost'), async () => {
    const redis = await startRedis(); // what stands in the place of a mark would harm others
    const bus = await connectBus({ url: redis.url });
    const { begun, end, close } = await workAt(bus);
    const sid = 'unmarked' as unknown as Sid;
    const mark = 'cl:{wake}:session-wake:marker';
    await eventually('the worker waits', async () => (await redis.client.info('clients')).includes('blocked_clients:1'));
    await redis.client.set(mark, 'of another kind'); // whoever waits is answered with an error from now on
    await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await eventually('the wake is stored', async () => {
      await bus.wakes.wake(sid); // without a mark
      return (await redis.client.llen('cl:{wake}:session-wake:wait')) === 1;
    });
    await redis.client.del(mark);
    await eventually('it comes', () => begun.includes(sid));
    end();
    await close();
    await bus.close();
    await redis.close();
  });

  test(verifies('R4:wake-failed', 'of which the processing failed does not swallow the next'), async () => {
    const sid = (await fixture.session()).ref.sid;
    let calls = 0;
    const worker = await fixture.bus.wakes.work(
      async () => {
        calls += 1;
        if (calls === 1) throw new Error('the first fails');
      },
      { concurrency: 1 },
    );
    await fixture.bus.wakes.wake(sid);
    await eventually('the first', () => calls === 1);
    await eventually('nothing is left of it', async () => (await fixture.redis.client.keys(`*:de:${sid}`)).length === 0);
    await fixture.bus.wakes.wake(sid);
    await eventually('the second', () => calls === 2);
    await worker.close();
  });

  test(verifies('R4:wake-writers', 'follows a write to a session that nobody holds, and only then'), async () => {
    const session = await fixture.session();
    const { begun, end, close } = await workAt();
    await session.say('go');
    await eventually('the wake', () => begun.includes(session.ref.sid));
    await session.take();
    end();
    await eventually('nothing is left of it', async () => (await fixture.redis.client.keys(`*:de:${session.ref.sid}`)).length === 0);
    await session.say('more', 'steer');
    expect(await fixture.redis.client.keys(`*:de:${session.ref.sid}`)).toEqual([]);
    await close();
    expect(begun.filter((sid) => sid === session.ref.sid)).toHaveLength(1);
  });
});

describe('the sweep', () => {
  test(verifies('R4:sweep', 'finds a session whose writer died before it woke anybody, or before it stored anything'), async () => {
    const { wakes } = fixture.bus;
    const [stored, entered] = [await fixture.session(), await fixture.session()];
    await stored.say('go');
    await fixture.redis.client.del(...(await fixture.redis.client.keys('cl:{wake}*'))); // no wake came
    const due = await eventually('the due set', async () => (await fixture.redis.client.keys('cl:{due:*}'))[0]); // not its probes
    await fixture.redis.client.zadd(due, Date.now() - 1, entered.ref.sid);
    const found = await wakes.due(1_000);
    expect(found).toEqual(expect.arrayContaining([stored.ref.sid, entered.ref.sid]));
    expect((await stored.take()).inbox).toMatchObject([{ kind: 'message' }]);
    expect((await entered.take()).inbox).toEqual([]);
  });

  test(verifies('R4:sweep-shared', 'hands a session to one of the sweepers that ask at once, and again later'), async () => {
    const other = await fixture.another();
    const session = await fixture.session();
    await session.say('go');
    const answers = await Promise.all([fixture.bus, other, fixture.bus].map(({ wakes }) => wakes.due(1_000)));
    expect(answers.flat().filter((sid) => sid === session.ref.sid)).toHaveLength(1);
    await eventually('again', async () => (await other.wakes.due(1_000)).includes(session.ref.sid));
  });
});
