import { describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { TestSession } from '../../../test/test-session.js';
import { newId } from '../../new-id.js';
import { sessionRef, type SessionRef } from '../../session-ref.js';
import { connectBus } from '../index.js';
import { createKeys } from '../keys/keys.js';
import { KEY_KINDS } from '../keys/key-kinds.js';
import { matchKey } from '../keys/key-kind.js';

const fixture = useBus();
const everything = { keys: 1_000_000, graceMs: 0 };
/** As somebody does it who lets turns wait for no more than a millisecond. */
const impatient = () => fixture.another({ parkedTtlMs: 1 });
/** Of the sessions that have work, a part each. */
const dueKeys = [...Array(16).keys()].map((part) => `cl:{due:${String(part)}}`);
const isThere = async ({ ref }: TestSession): Promise<boolean> => (await fixture.bus.store.readMeta(ref)) !== undefined;

describe('the janitor', () => {
  test(
    verifies('R4:parked-too-long', 'cancels a turn that waited too long, and removes a session that a cancel does not end'),
    async () => {
      const session = await fixture.session();
      await session.openCall({ state: 'waiting_approval' });
      await fixture.bus.store.releaseLease(session.ref.sid, session.leaseFence, {});
      expect(await fixture.bus.janitor.run(everything)).toMatchObject({ cancelled: 0, removed: 0, unknown: 0, isThrough: true });
      const strict = await impatient();
      expect(await strict.janitor.run(everything)).toMatchObject({ cancelled: 1, removed: 0 });
      expect(await fixture.bus.store.readMeta(session.ref)).toMatchObject({ cancelTurnId: expect.stringMatching(/./) });
      await eventually('no runtime ended it', async () => (await strict.janitor.run(everything)).removed === 1);
      expect(await isThere(session)).toBe(false);
      expect(await fixture.redis.client.keys(`cl:{${session.ref.sid}}*`)).toEqual([]);
    },
  );

  test(verifies('R4:set-back', 'wakes a session that the store set back to a turn that runs, once'), async () => {
    const session = await fixture.session();
    await session.openCall({ state: 'waiting_approval' });
    await fixture.bus.store.releaseLease(session.ref.sid, session.leaseFence, {});
    const isDue = async (): Promise<boolean> =>
      (await Promise.all(dueKeys.map((key) => fixture.redis.client.zscore(key, session.ref.sid)))).some((score) => score !== null);
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 0 });
    expect(await isDue()).toBe(false);
    await fixture.redis.client.hset(`cl:{${session.ref.sid}}:meta`, 'run_id', 'the master before');
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 1 });
    expect(await isDue()).toBe(true);
    await fixture.bus.store.takeLease(session.ref.sid, 'worker');
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 0 });
  });

  test(verifies('R4:set-back', 'and one that was to be looked at later only, when its call is overdue'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall();
    const { store } = fixture.bus;
    const later = Date.now() + 60_000;
    expect(await store.releaseLease(session.ref.sid, session.leaseFence, { wakeAtMs: later })).toBe('released');
    expect(await store.readCalls(session.ref.sid)).toMatchObject([{ callId }]);
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 0 });
    await fixture.redis.client.hset(`cl:{${session.ref.sid}}:meta`, 'run_id', 'the master before');
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 1 });
    const scores = await Promise.all(dueKeys.map((key) => fixture.redis.client.zscore(key, session.ref.sid)));
    expect(scores.map(Number).filter((score) => score > 0 && score < later)).toHaveLength(1);
    await store.takeLease(session.ref.sid, 'worker');
  });

  test(verifies('R4:set-back', 'and one that waits for a model, if nothing would look after it'), async () => {
    const session = await fixture.session();
    await session.say('go');
    await session.take();
    const turnId = (await fixture.bus.store.readMeta(session.ref))?.turnId ?? '';
    await session.commit({ modelRequest: session.request(turnId) });
    await fixture.bus.store.releaseLease(session.ref.sid, session.leaseFence, {});
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 1 });
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 0 });
  });

  test(verifies('R4:set-back', 'and one whose holder died, and that was forgotten while it was held'), async () => {
    const session = await fixture.session();
    await session.openCall();
    const { client } = fixture.redis;
    await Promise.all(dueKeys.map((key) => client.zrem(key, session.ref.sid)));
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 0 });
    await client.hset(`cl:{${session.ref.sid}}:meta`, 'lease_until', '1');
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 1 });
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ woken: 0 });
    await fixture.bus.store.takeLease(session.ref.sid, 'worker');
  });

  test(verifies('R4:set-back', 'and one whose inbox nobody has read, which is not put away either'), async () => {
    const session = await fixture.session();
    await session.say('go');
    const shards = await Promise.all(dueKeys.map((key) => fixture.redis.client.zrem(key, session.ref.sid)));
    expect(shards.filter((removed) => removed === 1)).toHaveLength(1);
    expect(await fixture.bus.janitor.run({ ...everything, freezeAfterMs: 0 })).toMatchObject({ woken: 1, frozen: 0 });
    expect(await fixture.bus.janitor.run({ ...everything, freezeAfterMs: 0 })).toMatchObject({ woken: 0, frozen: 0 });
  });

  test(verifies('R4:set-back', 'names a session and a child again in lists that lost them, and nothing that ended'), async () => {
    const { bus, redis } = fixture;
    const parent = await fixture.session();
    const open = async (): Promise<SessionRef> => {
      const task = { callId: newId('call'), turnId: newId('turn'), model: 'm', agent: 'coder', prompt: 'go', within: [] };
      const opened = await bus.children.openTask(parent.ref, task);
      if (opened.kind !== 'opened') throw new Error(opened.code);
      return opened.child.ref;
    };
    const [running, ended] = [await open(), await open()];
    await bus.children.close(parent.ref, ended);
    expect(await bus.janitor.run(everything)).toMatchObject({ listed: 0, unknown: 0 });
    await redis.client.del(`cl:{${parent.ref.sid}}:children`, ...(await redis.client.keys('cl:{own:*}:sessions')));
    expect(await bus.children.of([parent.ref])).toEqual([[]]);
    expect((await bus.janitor.run(everything)).listed).toBeGreaterThanOrEqual(2);
    expect(await bus.children.of([parent.ref])).toEqual([[running]]);
    const names = (await bus.store.list(parent.ref.owner, { offset: 0, limit: 100 })).map(({ ref }) => ref.sessionId);
    expect(names).toContain(parent.ref.sessionId);
    expect(await bus.janitor.run(everything)).toMatchObject({ listed: 0 });
  });

  test(
    verifies('L2:child-abandoned', 'holds a child again that nobody holds any more, for as long as its program would need to say so'),
    async () => {
      const { bus, redis } = fixture;
      const parent = await fixture.session();
      const tools = { callerTools: [], serverTools: [], executorTools: [] };
      const child = { sessionId: newId('ses'), turnId: newId('turn'), model: 'm', base: '{}', maxToolRounds: 3, ...tools };
      expect(await bus.children.open(parent.ref, child)).toMatchObject({ kind: 'opened' });
      const { tenant, sub } = parent.ref.owner;
      const held = JSON.stringify([tenant, sub, child.sessionId]);
      await redis.client.zrem('cl:{held}', held);
      await bus.janitor.run(everything);
      expect(Number(await redis.client.zscore('cl:{held}', held))).toBeGreaterThan(Date.now());
      await redis.client.zadd('cl:{held}', Date.now() - 1000, held);
      await bus.children.cancelAbandoned();
      expect(await bus.store.readMeta(sessionRef(parent.ref.owner, child.sessionId))).toMatchObject({ cancelTurnId: child.turnId });
      await bus.janitor.run(everything);
      expect(await redis.client.zscore('cl:{held}', held)).toBeNull();
    },
  );

  test(
    verifies('G4:leftovers', 'takes out what was left of sessions that are gone: keys, names in lists, texts without users'),
    async () => {
      const { client } = fixture.redis;
      const [living, dead] = [await fixture.session(), await fixture.session()];
      await fixture.bus.store.keepFacts(dead.ref, { clientId: 'ide', text: 'x'.repeat(600) });
      expect(await client.keys('cl:{blob:*')).toHaveLength(2);
      await client.del(...(await client.keys(`cl:{${dead.ref.sid}}*`))); // as its TTL does it
      await client.hset(`cl:{${dead.ref.sid}}:calls`, 'late', '1');
      const [list = ''] = await client.keys('cl:{own:*}:sessions');
      await client.zadd(list, 1, dead.ref.sessionId);
      const report = await fixture.bus.janitor.run(everything);
      expect(report).toMatchObject({ orphans: 1, texts: 1, unknown: 0 });
      expect(await client.keys('cl:{blob:*')).toEqual([]);
      expect(await client.keys(`cl:{${dead.ref.sid}}*`)).toEqual([]);
      expect(await client.zscore(list, dead.ref.sessionId)).toBeNull();
      expect(await client.zscore(list, living.ref.sessionId)).not.toBeNull();
      expect(await isThere(living)).toBe(true);
    },
  );

  test('finds the name of a session that is gone among many that live', async () => {
    const { bus, redis } = fixture;
    const owner = { tenant: 'acme', sub: newId('worker') };
    const refs = Array.from({ length: 250 }, (_, n) => sessionRef(owner, `s-${String(n)}`));
    await Promise.all(refs.map((ref) => bus.store.join(ref, { clientId: 'ide', protocolVersion: '2.0' }, { create: true })));
    const list = createKeys().owned(owner);
    await Promise.all(refs.map(({ sessionId }, n) => redis.client.zadd(list, n + 1, sessionId))); // long ago
    const gone = refs.at(-1)!;
    await redis.client.del(...(await redis.client.keys(`cl:{${gone.sid}}*`)));
    await eventually('its name stays', async () => {
      await bus.janitor.run(everything);
      return (await redis.client.zscore(list, gone.sessionId)) === null;
    });
    expect(await redis.client.zcard(list)).toBe(refs.length - 1);
    for (const ref of refs) await bus.store.remove(ref);
  });

  test('bounds a key that must end and has no TTL, and leaves alone what it does not know', async () => {
    const { client } = fixture.redis;
    await client.set('cl:{sign_in:abc}', 'x');
    await client.set('cl:{somebody}:else', 'x');
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ bounded: 1, unknown: 1 });
    expect(await client.pttl('cl:{sign_in:abc}')).toBeGreaterThan(0);
    expect(await client.get('cl:{somebody}:else')).toBe('x');
    await client.del('cl:{somebody}:else', 'cl:{sign_in:abc}');
  });

  test('looks at a part in each run, and goes on where the last one ended; without a limit it looks at all', async () => {
    const { client } = fixture.redis;
    for (let n = 0; n < 2_000; n += 1) await client.set(`cl:{sign_in:part${String(n)}}`, 'x');
    const runs = [];
    do runs.push(await fixture.bus.janitor.run({ keys: 500, graceMs: 0 }));
    while (runs.at(-1)?.isThrough === false);
    expect(runs.length).toBeGreaterThan(2);
    expect(runs.reduce((sum, { bounded }) => sum + bounded, 0)).toBe(2_000);
    for (let n = 0; n < 2_000; n += 1) await client.persist(`cl:{sign_in:part${String(n)}}`);
    expect(await fixture.bus.janitor.run({ keys: 500, graceMs: 0 })).toMatchObject({ isThrough: false });
    for (let n = 0; n < 2_000; n += 1) await client.persist(`cl:{sign_in:part${String(n)}}`);
    expect(await fixture.bus.janitor.run({ keys: Infinity, graceMs: 0 })).toMatchObject({ bounded: 2_000, isThrough: true });
    await client.del(...(await client.keys('cl:{sign_in:part*')));
  });

  test(verifies('G4:one-janitor', 'runs by a schedule, in one process at a time, and goes on where a clock was ahead'), async () => {
    const runs: number[] = [];
    let [running, most] = [0, 0];
    const buses = await Promise.all([1, 2].map(() => connectBus({ url: fixture.redis.url, signal: AbortSignal.timeout(10_000) })));
    const workers = await Promise.all(
      buses.map((bus, n) =>
        bus.janitor.schedule({ ...everything, everyMs: 100 }, () => {
          most = Math.max(most, (running += 1));
          runs.push(n);
          running -= 1;
        }),
      ),
    );
    await eventually('runs', () => runs.length >= 4);
    expect(most).toBe(1);
    // As after a run on a machine whose clock was a day ahead.
    const before = runs.length;
    await fixture.redis.client.zadd('cl:{wake}:janitor:repeat', 'XX', Date.now() + 86_400_000, 'runs');
    await eventually('runs by the time of the store', () => runs.length >= before + 4);
    for (const key of await fixture.redis.client.keys('*janitor*')) {
      expect({ key, known: KEY_KINDS.some((kind) => matchKey(kind).test(key)) }).toEqual({ key, known: true });
    }
    await Promise.all(workers.map((worker) => worker.close()));
    await Promise.all(buses.map((bus) => bus.close()));
    await fixture.redis.client.del(...(await fixture.redis.client.keys('*:janitor:*')));
  });
});

describe('a store that nothing else is in', () => {
  const fresh = useBus();

  test(verifies('G4:base-line', 'sessions that are over return the store to what it was'), async () => {
    const { client } = fresh.redis;
    const brief = await fresh.another({ sessionTtlMs: 2_000 });
    const owner = { tenant: 'brief', sub: 'ann' };
    const live = async (n: number): Promise<void> => {
      const joining = { clientId: 'ide', tools: JSON.stringify(['x'.repeat(600)]), protocolVersion: '2.0' };
      const meta = await brief.store.join(sessionRef(owner, `brief-${String(n)}`), joining, { create: true });
      const session = TestSession.of(brief, fresh.redis, meta!);
      await brief.store.keepFacts(session.ref, { clientId: 'ide', text: `facts of ${String(n)} `.repeat(50) });
      const callId = await session.openCall();
      await session.settle(callId);
      const endTurn = { turnId: (await brief.store.readMeta(session.ref))!.turnId };
      await session.commit({ inboxUpTo: 2, calls: [{ kind: 'close', callId, synthetic: false }], history: ['{"role":"user"}'], endTurn });
      await brief.store.releaseLease(session.ref.sid, session.leaseFence, {});
    };
    // Sums and lists go with the recount, queues and the record of the walk are there all the time.
    const census = async (): Promise<string[]> => (await client.keys('*')).filter((key) => !/\{(wake|janitor|store|due:)/.test(key)).sort();
    await fresh.bus.janitor.run(everything);
    const before = await census();
    await Promise.all(Array.from({ length: 40 }, (_, n) => live(n)));
    expect((await census()).length).toBeGreaterThan(before.length + 200);
    await eventually('the store is what it was', async () => {
      await brief.janitor.run(everything);
      await fresh.bus.storage.recount();
      return (await census()).every((key) => before.includes(key));
    });
    await eventually('no session is due', async () => (await brief.wakes.due(1_000)).length === 0 || undefined);
  });
});
