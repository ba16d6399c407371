import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { followSession, eventually, startRedis, verifies, type TestRedis, type TestRedisOptions } from '@codelab/testkit';
import { loadScripts } from '../load-scripts.js';
import { digest, TestSession } from '../../../test/test-session.js';
import { connectBus, type Bus } from '../create-bus.js';

const isReady = (bus: Bus) => eventually('the bus is back', () => bus.status() === 'ready');

/** A Redis of its own for each way to keep what it holds; whatever a test did to it, the next one begins when both connections stand. */
const useRedis = (options: TestRedisOptions): { readonly redis: TestRedis; bus: Bus } => {
  const held: { redis?: TestRedis; bus?: Bus } = {};
  beforeAll(async () => {
    held.redis = await startRedis(options);
    held.bus = await connectBus({ url: held.redis.url });
  });
  beforeEach(() => isReady(held.bus as Bus));
  afterAll(async () => {
    await held.bus?.close();
    await held.redis?.close();
  });
  return held as { redis: TestRedis; bus: Bus };
};

/** A session with a log, its holder, and what a feed says of it. */
const begin = async ({ bus, redis }: { bus: Bus; redis: TestRedis }) => {
  const session = await TestSession.join(bus, redis);
  await session.say('go');
  await session.take();
  await session.commit({ frames: ['{"n":1}', '{"n":2}'] });
  const events: string[] = [];
  await followSession(bus.streams, session.ref, { epoch: session.meta.epoch, seq: 2 }, (event) => {
    if (event.kind === 'reset') events.push(`reset ${String(event.seq)}`);
    if (event.kind === 'logged') events.push(...event.frames.map(({ seq }) => String(seq)));
  });
  return { session, events };
};

const STEP = { inboxUpTo: 1, state: '', frames: [], history: [], calls: [] };

describe('a master that was succeeded', () => {
  const held = useRedis({ aof: true });

  test(
    verifies('G3:ended-life', 'and is asked again, without what its successor took, begins another life: its sessions a new epoch'),
    async () => {
      const { bus, redis } = held;
      const { session } = await begin(held);
      const first = await redis.client.hget('cl:{store}', 'name');
      // The record is all that tells one master from another: two of them are played by one.
      const become = async (name: string | null): Promise<string | null> => {
        await redis.client.hset('cl:{store}', 'name', name ?? '');
        await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal');
        await eventually('the bus notices', () => bus.status() === 'away');
        await isReady(bus);
        return redis.client.hget('cl:{store}', 'name');
      };
      expect(await become('the successor')).toBe('the successor');
      const after = await become(first);
      expect([first, 'the successor']).not.toContain(after);
      expect(await session.commit()).toBe('fenced');
      expect((await bus.store.takeLease(session.ref.sid, 'other'))?.meta.epoch).not.toBe(session.meta.epoch);
      expect(await become(after)).toBe(after);
    },
  );
});

describe('a store that lost the end of its file', () => {
  const held = useRedis({ aof: true });

  test(verifies('G3:client-remembers', 'and everybody else who knew died: the first client that has more begins the epoch'), async () => {
    const { bus, redis } = held;
    const { session } = await begin(held);
    const { epoch } = session.meta;
    await redis.kill();
    await redis.tear(200);
    await bus.close();
    await redis.start();
    const fresh = (held.bus = await connectBus({ url: redis.url }));
    const joining = { clientId: 'ide', tools: '["write_file"]', protocolVersion: '2.0' };
    const kept = await fresh.store.readMeta(session.ref);
    expect(kept).toMatchObject({ epoch, seq: 0 });
    const meta = await fresh.store.join(session.ref, { ...joining, seen: { epoch, seq: 2 } }, { create: true });
    expect(meta?.epoch).not.toBe(epoch);
    expect(await fresh.store.commit(session.ref, { leaseFence: session.leaseFence, cancelSeen: '' }, STEP)).toBe('fenced');
    const successor = await fresh.store.takeLease(session.ref.sid, 'successor');
    expect(successor?.meta.epoch).toBe(meta?.epoch);
    const again = await fresh.store.join(session.ref, { ...joining, seen: { epoch: meta!.epoch, seq: 0 } }, { create: true });
    expect(again?.epoch).toBe(meta?.epoch);
  });

  /** As if the file had lost its end: what one process knew of is gone, and another is the first to come upon it. */
  const setBack = async (session: TestSession): Promise<Bus> => {
    const { redis } = held;
    const other = await connectBus({ url: redis.url });
    await redis.client.hset(`cl:{${session.ref.sid}}:meta`, { seq: 1, inbox_seq: 0 });
    return other;
  };
  const lifeOf = (): Promise<string | null> => held.redis.client.hget('cl:{store}', 'name');
  const JOINING = { clientId: 'ide', tools: '["write_file"]', protocolVersion: '2.0' };

  test(verifies('G3:witness-kept', 'which a client has told of one session: who knows of the same end tells of all others'), async () => {
    const { session } = await begin(held);
    const { session: idle } = await begin(held);
    await session.commit({ frames: ['{"n":3}'] });
    const life = await lifeOf();
    const other = await setBack(session);
    const { epoch } = session.meta;
    const meta = await other.store.join(session.ref, { ...JOINING, seen: { epoch, seq: 3 } }, { create: true });
    expect(meta?.epoch).not.toBe(epoch);
    await eventually('the life ends', async () => (await lifeOf()) !== life);
    expect(await idle.commit({ frames: ['{}'] })).toBe('fenced');
    expect((await other.store.takeLease(idle.ref.sid, 'other'))?.meta.epoch).not.toBe(idle.meta.epoch);
    await other.close();
  });

  test(verifies('G3:witness-kept', 'and has its word alone no weight for others'), async () => {
    const { session } = await begin(held);
    const life = await lifeOf();
    const { epoch } = session.meta;
    const meta = await held.bus.store.join(session.ref, { ...JOINING, seen: { epoch, seq: 3 } }, { create: true });
    expect(meta?.epoch).not.toBe(epoch);
    await held.redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal'); // the next connection compares first
    await eventually('the bus notices', () => held.bus.status() === 'away');
    await isReady(held.bus);
    expect(await lifeOf()).toBe(life);
  });

  test(verifies('G3:holder-remembers', 'ends the life of the store when the holder of a session finds that it has read more'), async () => {
    const { session } = await begin(held);
    const { session: idle } = await begin(held);
    const life = await lifeOf();
    const other = await setBack(session);
    const lease = { leaseFence: session.leaseFence, cancelSeen: '', seen: { seq: 2, inbox: 1 } };
    expect(await other.store.commit(session.ref, lease, STEP)).toBe('fenced');
    expect(await lifeOf()).not.toBe(life);
    expect(await idle.commit({ frames: ['{}'] })).toBe('fenced');
    await other.close();
  });
});

describe('a store that keeps every write', () => {
  const held = useRedis({ aof: true });

  test(verifies('G3:epoch-kept', 'goes on after it was killed: same epoch, same lease, nothing lost'), async () => {
    const { bus, redis } = held;
    const { session, events } = await begin(held);
    await redis.kill();
    await eventually('the bus notices', () => bus.status() === 'away');
    await expect(session.commit()).rejects.toMatchObject({ name: 'BusError' });
    await redis.start();
    await isReady(bus);
    expect(await session.commit({ frames: ['{"n":3}'] })).toEqual({ seq: 3 });
    expect((await bus.store.readMeta(session.ref))?.epoch).toBe(session.meta.epoch);
    expect(await session.log()).toHaveLength(3);
    await eventually('the frame', () => events.length > 0);
    expect(events).toEqual(['3']);
  });

  test(
    verifies(
      'G3:epoch-torn',
      'and lost the end of its file all the same begins another life: what it had acknowledged is known to be gone',
    ),
    async () => {
      const { bus, redis } = held;
      const { session, events } = await begin(held);
      await redis.kill();
      await redis.tear(200);
      await eventually('the bus notices', () => bus.status() === 'away');
      await redis.start();
      await isReady(bus);
      expect(await session.commit({ frames: ['{"n":3}'] })).toBe('fenced');
      expect(await session.say('hello')).toMatchObject({ kind: 'accepted' });
      const meta = await bus.store.readMeta(session.ref);
      expect(meta?.epoch).not.toBe(session.meta.epoch);
      await eventually('the reader is reset', () => events.includes(`reset ${String(meta?.seq)}`));
      expect(await redis.client.info('persistence')).toMatch(/aof_rewrites:[1-9]|aof_rewrite_in_progress:1/);
      // Once: whoever knows more of the life before has nothing to say of this one.
      const life = await redis.client.hget('cl:{store}', 'name');
      await bus.close();
      held.bus = await connectBus({ url: redis.url });
      expect(await redis.client.hget('cl:{store}', 'name')).toBe(life);
    },
  );

  test(
    verifies('G3:entry-torn', 'and lost a result that nobody had read yet begins another life, too: its executor is asked again'),
    async () => {
      const { bus, redis } = held;
      const { session } = await begin(held);
      const callId = await session.openCall();
      await redis.client.config('SET', 'appendfsync', 'always');
      const persistence = (): Promise<string> => redis.client.info('persistence');
      const size = async (): Promise<number> => Number(/aof_current_size:(\d+)/.exec(await persistence())?.[1]);
      await eventually('the file of the test before', async () => (await persistence()).includes('aof_rewrite_in_progress:0'));
      const before = await size();
      expect(await session.settle(callId)).toMatchObject({ outcome: 'accepted' });
      const written = (await size()) - before;
      await redis.kill();
      await redis.tear(written - 1); // all but the first byte of it
      await eventually('the bus notices', () => bus.status() === 'away');
      await redis.start();
      await isReady(bus);
      expect(await session.commit()).toBe('fenced');
      expect(await session.say('hello')).toMatchObject({ kind: 'accepted' });
      expect((await bus.store.readMeta(session.ref))?.epoch).not.toBe(session.meta.epoch);
      expect((await bus.store.read(session.ref, { historyItems: 1 }))?.calls).toMatchObject([{ callId, state: 'ready' }]);
    },
  );

  test(
    verifies('R1:fence-once', 'and is emptied gives no lease a number again: who slept through it is fenced by who holds the session now'),
    async () => {
      const { bus, redis } = held;
      const { session } = await begin(held);
      await redis.client.flushall();
      await eventually('the loss is known', () =>
        bus.store.join(session.ref, { clientId: 'ide', tools: '[]', protocolVersion: '2.0' }, { create: true }),
      );
      const meta = await bus.store.readMeta(session.ref);
      const successor = TestSession.of(bus, redis, meta!);
      await successor.say('go on');
      await successor.take();
      expect(await session.commit({ frames: ['{}'] })).toBe('fenced');
      expect(await bus.store.renewLeases([{ sid: session.ref.sid, leaseFence: session.leaseFence }])).toEqual([session.ref.sid]);
    },
  );

  test(verifies('G3:epoch-flushed', 'and is emptied begins another life'), async () => {
    const { bus, redis } = held;
    const { session } = await begin(held);
    await redis.client.flushall();
    expect(await session.commit({ frames: ['{}'] })).toBe('fenced');
    expect(await session.say('hello')).toEqual({ kind: 'refused', code: 'SESSION_NOT_FOUND' });
    const again = await bus.store.join(session.ref, { clientId: 'ide', tools: '[]', protocolVersion: '2.0' }, { create: true });
    expect(again?.epoch).not.toBe(session.meta.epoch);
    expect(await bus.store.replay(session.ref, { epoch: session.meta.epoch, seq: 0 })).toEqual({
      kind: 'gone',
      epoch: again?.epoch,
      seq: 0,
    });
  });
});

describe('a store that may lose writes', () => {
  const held = useRedis({ snapshot: true });

  test(
    verifies('G3:epoch-anew', 'begins a new epoch after a restart: readers are reset, the holder is fenced, numbers go on'),
    async () => {
      const { bus, redis } = held;
      const { session, events } = await begin(held);
      await redis.restart();
      await isReady(bus);
      // What the holder has in memory may be ahead of the store.
      expect(await session.commit({ frames: ['{}'] })).toBe('fenced');
      expect(await bus.store.renewLeases([{ sid: session.ref.sid, leaseFence: session.leaseFence }])).toEqual([session.ref.sid]);
      const lease = await session.take('successor');
      expect(lease.meta.epoch).not.toBe(session.meta.epoch);
      expect(lease.meta.seq).toBe(2);
      expect(lease.inbox).toEqual([]);
      expect(await session.commit({ frames: ['{"n":3}'] })).toEqual({ seq: 3 });
      expect(await session.log(2)).toEqual(['{"seq":3,"n":3}']);
      expect(await session.log(1)).toEqual([]);
      expect(await bus.store.replay(session.ref, { epoch: session.meta.epoch, seq: 2 })).toMatchObject({
        kind: 'gone',
        epoch: lease.meta.epoch,
      });
      await eventually('the reset', () => events.length > 0);
      expect(events[0]).toMatch(/^reset [23]$/);
    },
  );
});

describe('a Redis that goes away', () => {
  const held = useRedis({ aof: true });

  test(
    verifies('G4:redis-restart', 'under load heals by itself: sessions, feeds, wakes and models go on, nothing is done twice'),
    async () => {
      const { bus, redis } = held;
      const sessions = await Promise.all(Array.from({ length: 10 }, () => begin(held)));
      const woken = new Set<string>();
      const worker = await bus.wakes.work(async (sid) => void woken.add(sid), { concurrency: 2 });
      const answered = new Set<string>();
      const consumer = await bus.models.consume(
        async (step) => {
          await step.answer({ model: 'm', text: '', toolCalls: [], finish: 'stop', usage: { inputTokens: 0, outputTokens: 0 } });
          answered.add(step.stepId);
        },
        { consumer: 'one', concurrency: 4 },
      );
      let refused = 0;
      let committed = 0;
      const load = sessions.map(async ({ session }) => {
        for (let n = 3; n <= 60; n += 1) {
          // A frame is sent again only when the log says that it isn't there: the answer may have been lost.
          await eventually('the commit', async () => {
            try {
              if (((await bus.store.readMeta(session.ref))?.seq ?? 0) >= n) return true;
              return (await session.commit({ frames: [`{"n":${String(n)}}`] })) !== 'fenced';
            } catch {
              refused += 1;
              return false;
            }
          });
          committed += 1;
        }
      });
      for (let times = 0; times < 3; times += 1) {
        const before = committed;
        await eventually('some load', () => committed >= Math.min(before + 20, 580));
        await redis.kill();
        await redis.start();
      }
      await Promise.all(load);
      await isReady(bus);
      expect(refused).toBeGreaterThan(0);
      for (const { session, events } of sessions) {
        await eventually('all frames', () => events.length === 58);
        expect(events).toEqual(Array.from({ length: 58 }, (_, index) => String(index + 3)));
        expect(await session.log(2)).toHaveLength(58);
      }
      const [{ session }] = sessions as [Awaited<ReturnType<typeof begin>>];
      const turnId = (await bus.store.readMeta(session.ref))?.turnId ?? '';
      const request = session.request(turnId);
      await session.commit({ modelRequest: request });
      await eventually('the model', () => answered.has(request.stepId));
      // A wake that was being processed when Redis went is repeated later; every other one comes at once.
      const fresh = await TestSession.join(bus, redis);
      await fresh.say('go');
      await eventually('the wake', () => woken.has(fresh.ref.sid));
      await worker.close();
      await consumer.close();
    },
  );

  test(verifies('R5:answer-survives', 'for a moment costs no model request: the answer is stored when it is back'), async () => {
    const { bus, redis } = held;
    const { session } = await begin(held);
    const attempts: boolean[] = [];
    const consumer = await bus.models.consume(
      async (step) => {
        await redis.kill();
        const stored = step.answer({ model: 'm', text: '', toolCalls: [], finish: 'stop', usage: { inputTokens: 0, outputTokens: 0 } });
        await redis.start();
        attempts.push(await stored);
      },
      { consumer: 'patient', concurrency: 1 },
    );
    const turnId = (await bus.store.readMeta(session.ref))?.turnId ?? '';
    await session.commit({ modelRequest: session.request(turnId) });
    await eventually('the answer', () => attempts.length > 0);
    expect(attempts).toEqual([true]);
    expect(await bus.store.readInbox(session.ref.sid, 1)).toMatchObject([{ kind: 'answer', attempt: 1 }]);
    await consumer.close();
  });

  test(
    verifies('G2:scripts-lost', 'or forgets its scripts: what stands behind a script in a round trip still comes after it'),
    async () => {
      const { bus, redis } = held;
      const { session } = await begin(held);
      const served: string[] = [];
      const consumer = await bus.models.consume(
        async (step) => {
          served.push(step.stepId);
          await step.fail({ code: 'x', message: 'x', retryable: false });
        },
        { consumer: 'one', concurrency: 1 },
      );
      await redis.client.script('FLUSH');
      expect(await bus.store.patch(session.ref, { title: 'new' })).toMatchObject({ title: 'new' });
      const request = session.request((await bus.store.readMeta(session.ref))?.turnId ?? '');
      await redis.client.script('FLUSH');
      expect(await session.commit({ modelRequest: request })).toEqual({ seq: 2 });
      await eventually('the request is served', () => served.includes(request.stepId));
      await consumer.close();
    },
  );

  test(verifies('R1:once-after-repair', 'or forgets some of them: the one that it knew, and has run, does not run again'), async () => {
    const { bus, redis } = held;
    const { session } = await begin(held);
    const turnId = (await bus.store.readMeta(session.ref))?.turnId ?? '';
    const prompt = { hash: digest('p'), text: 'You are new here.' };
    await redis.client.script('FLUSH');
    // As another service teaches it that has just called it.
    await redis.client.script('LOAD', loadScripts().find(({ name }) => name === 'commitStep')?.lua ?? '');
    const committed = await session.commit({ frames: ['{"n":3}'], modelRequest: { ...session.request(turnId), prompt } });
    expect(committed).toEqual({ seq: 3 });
    expect(await session.log()).toHaveLength(3);
  });

  test(verifies('G2:redis-hangs', 'and one that hangs is noticed, and the caller is told'), async () => {
    const { bus, redis } = held;
    redis.pause();
    try {
      await expect(bus.store.list({ tenant: 'a', sub: 'b' }, { offset: 0, limit: 1 })).rejects.toThrow('list: ');
    } finally {
      redis.resume();
    }
    await eventually('it answers again', async () =>
      bus.store.list({ tenant: 'a', sub: 'b' }, { offset: 0, limit: 1 }).catch(() => undefined),
    );
  });

  test(verifies('G2:redis-never-there', 'or was never there ends no process, and serves when it comes'), async () => {
    const late = await startRedis();
    await late.kill();
    const statuses: string[] = [];
    const { createBus } = await import('../create-bus.js');
    const bus = createBus({ url: late.url });
    bus.onStatus((status) => statuses.push(status));
    await expect(connectBus({ url: late.url, signal: AbortSignal.timeout(100) })).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(bus.store.list({ tenant: 'a', sub: 'b' }, { offset: 0, limit: 1 })).rejects.toThrow('Redis is away');
    await late.start();
    await isReady(bus);
    expect(await bus.store.list({ tenant: 'a', sub: 'b' }, { offset: 0, limit: 1 })).toEqual([]);
    expect(statuses).toEqual(['ready']);
    await bus.close();
    await late.close();
  });
});
