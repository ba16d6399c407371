import { describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import type { HolderSeen, LeaseFence } from '../../session-store.js';
import { createKeys } from '../keys/keys.js';

const fixture = useBus();
const keys = createKeys();
const dueScore = async (sid: Parameters<typeof keys.due>[0]): Promise<number | null> => {
  const score = await fixture.redis.client.zscore(keys.due(sid), sid);
  return score === null ? null : Number(score);
};

describe('a lease', () => {
  test(verifies('R1:lease-one', 'of workers that try at once one gets it, and numbers grow'), async () => {
    const other = await fixture.another();
    const session = await fixture.session();
    await session.say('go');
    const attempts = [fixture.bus, other, fixture.bus, other].map(({ store }, index) =>
      store.takeLease(session.ref.sid, `w${String(index)}`),
    );
    const [winner, ...more] = (await Promise.all(attempts)).filter((lease) => lease !== undefined);
    expect(more).toEqual([]);
    expect(winner?.meta.ref).toEqual(session.ref);
    expect(await fixture.bus.store.releaseLease(session.ref.sid, winner!.leaseFence, {})).toBe('busy');
  });

  test(
    verifies('R1:lease-release', 'is let go only with an empty inbox; then the session costs nothing until somebody writes'),
    async () => {
      const { store } = fixture.bus;
      const session = await fixture.session();
      await session.say('go');
      const { leaseFence } = await session.take();
      expect(await store.releaseLease(session.ref.sid, leaseFence, {})).toBe('busy');
      await session.commit();
      expect(await store.releaseLease(session.ref.sid, leaseFence, {})).toBe('released');
      expect(await dueScore(session.ref.sid)).toBeNull();
      await session.say('more', 'steer');
      expect(await dueScore(session.ref.sid)).toBeLessThanOrEqual(Date.now() + 5);
      expect((await session.take()).leaseFence).toBeGreaterThan(leaseFence);
    },
  );

  test(verifies('R4:park-deadline', 'a parked session is due at its deadline, and at once when somebody writes'), async () => {
    const { store, wakes } = fixture.bus;
    const session = await fixture.session();
    await session.say('go');
    await session.take();
    await session.commit();
    const wakeAtMs = Date.now() + 60_000;
    expect(await store.releaseLease(session.ref.sid, session.leaseFence, { wakeAtMs })).toBe('released');
    expect(await dueScore(session.ref.sid)).toBe(wakeAtMs);
    expect(await wakes.due(1_000)).not.toContain(session.ref.sid);
    await session.say('more', 'steer');
    // Its score is our estimate of Redis' clock, which may be ahead by as long as an exchange takes.
    await eventually('it is due', async () => (await wakes.due(1_000)).includes(session.ref.sid));
    expect(await wakes.due(1_000)).not.toContain(session.ref.sid);
  });

  test(
    verifies('R4:park-race', 'a write between the reading of the score and the park keeps the session among those with work'),
    async () => {
      const session = await fixture.session();
      await session.say('go');
      await session.take();
      await session.commit();
      const { client } = fixture.redis;
      const score = await client.zscore(keys.due(session.ref.sid), session.ref.sid);
      await client.hset(keys.session(session.ref.sid).meta, 'lease_until', '0');
      await session.say('in between', 'steer');
      const park = client as unknown as { parkSession: (...args: string[]) => Promise<number> };
      const { loadScripts } = await import('../load-scripts.js');
      for (const { name, ...script } of loadScripts()) client.defineCommand(name, script);
      expect(await park.parkSession(keys.due(session.ref.sid), session.ref.sid, score ?? '', '')).toBe(0);
      expect(await dueScore(session.ref.sid)).not.toBeNull();
    },
  );

  test(verifies('R1:lease-renew', 'held sessions are handed to nobody, and to somebody when their holder stops renewing'), async () => {
    const { store, wakes } = fixture.bus;
    const [alive, dead] = [await fixture.session(), await fixture.session()];
    for (const session of [alive, dead]) {
      await session.say('go');
      await session.take();
    }
    const renew = () => store.renewLeases([{ sid: alive.ref.sid, leaseFence: alive.leaseFence }]);
    expect(await renew()).toEqual([]);
    const timer = setInterval(() => void renew(), 500);
    const found: string[] = [];
    try {
      const successor = await eventually('the dead holder is followed', async () => {
        found.push(...(await wakes.due(1_000)));
        return store.takeLease(dead.ref.sid, 'successor');
      });
      expect(successor).toMatchObject({ inbox: [{ kind: 'message' }] });
      expect(successor.leaseFence).toBeGreaterThan(dead.leaseFence);
    } finally {
      clearInterval(timer);
    }
    expect(found).not.toContain(alive.ref.sid);
    expect(found).toContain(dead.ref.sid);
    expect(await dead.commit({ frames: ['{}'] })).toBe('fenced');
    expect(await alive.commit({ frames: ['{}'] })).toEqual({ seq: 1 });
  });

  test(verifies('R4:set-back', 'a held session that was forgotten is due again once its holder stops renewing'), async () => {
    const session = await fixture.session();
    await session.say('go');
    const { leaseFence } = await session.take();
    const lease = [{ sid: session.ref.sid, leaseFence }];
    await fixture.redis.client.zrem(keys.due(session.ref.sid), session.ref.sid);
    expect(await fixture.bus.store.renewLeases(lease)).toEqual([]);
    expect(Number(await dueScore(session.ref.sid))).toBeGreaterThan(Date.now());
    await fixture.bus.store.remove(session.ref);
    expect(await fixture.bus.store.renewLeases(lease)).toEqual([session.ref.sid]);
    expect(await dueScore(session.ref.sid)).toBeNull();
  });

  test(
    verifies('R1:lease-set-back', 'is taken from its holder by whoever notices first that the store was set back, and free at once'),
    async () => {
      const { store, janitor } = fixture.bus;
      const session = await fixture.session();
      await session.say('go');
      const { leaseFence } = await session.take();
      await fixture.redis.client.zrem(keys.due(session.ref.sid), session.ref.sid);
      await fixture.redis.client.hset(keys.session(session.ref.sid).meta, 'run_id', 'the master before');
      await store.join(session.ref, { clientId: 'ide', tools: '[]', protocolVersion: '2.0' }, { create: false });
      expect(await session.commit({ frames: ['{}'] })).toBe('fenced');
      expect(await store.renewLeases([{ sid: session.ref.sid, leaseFence }])).toEqual([session.ref.sid]);
      await janitor.run({ keys: 1_000_000, graceMs: 0 });
      expect(await dueScore(session.ref.sid)).not.toBeNull();
      expect((await session.take('successor')).leaseFence).toBeGreaterThan(leaseFence);
      expect(await session.commit({ frames: ['{}'] })).toEqual({ seq: 1 });
    },
  );

  test(verifies('R1:lease-set-back', 'and is taken from a holder that has read what the store does not know of any more'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    await session.say('go');
    await session.say('more', 'steer');
    await session.take();
    const { meta, inbox } = keys.session(session.ref.sid);
    await fixture.redis.client.xtrim(inbox, 'MAXLEN', 0);
    await fixture.redis.client.hset(meta, 'inbox_seq', '1', 'inbox_sizes', '1', 'inbox_bytes', '1'); // the end of its file was torn off
    expect(await session.commit({ frames: ['{}'] })).toBe('fenced');
    expect((await store.readMeta(session.ref))?.epoch).not.toBe(session.meta.epoch); // its clients know more, too
    const { leaseFence } = (await store.takeLease(session.ref.sid, 'successor'))!;
    const nothing = { inboxUpTo: 0, state: '', frames: [], history: [], calls: [] };
    const [{ epoch, seq }, lease] = [(await store.readMeta(session.ref))!, { leaseFence, cancelSeen: '' }];
    expect(await store.commit(session.ref, { ...lease, seen: { seq, inbox: 1 } }, nothing)).toEqual({ seq });
    expect(await store.commit(session.ref, { ...lease, seen: { seq: seq + 1, inbox: 1 } }, nothing)).toBe('fenced');
    expect((await store.readMeta(session.ref))?.epoch).not.toBe(epoch);
  });

  test(
    verifies('R1:lease-set-back', 'and is not let go of by a holder that has read what the store does not know of any more'),
    async () => {
      const { store } = fixture.bus;
      const session = await fixture.session();
      await session.say('go');
      const { leaseFence } = await session.take();
      const { seq } = (await session.commit({ frames: ['{}'] })) as { seq: number };
      const release = (seen: HolderSeen, fence = leaseFence): Promise<string> => store.releaseLease(session.ref.sid, fence, { seen });
      expect(await release({ seq: seq + 1, inbox: 1 })).toBe('lost');
      expect(await release({ seq, inbox: 2 })).toBe('lost');
      expect(await release({ seq, inbox: 1 }, (leaseFence - 1) as LeaseFence)).toBe('lost');
      expect(await dueScore(session.ref.sid)).not.toBeNull(); // whoever sweeps finds it
      expect(await release({ seq, inbox: 1 })).toBe('released');
    },
  );

  test(verifies('R1:lease-gone', 'a session that is not there is taken by nobody and leaves those with work'), async () => {
    const session = await fixture.session();
    await session.say('go');
    const held = keys.session(session.ref.sid);
    await fixture.redis.client.del(...held.all);
    expect(await dueScore(session.ref.sid)).not.toBeNull();
    expect(await fixture.bus.store.takeLease(session.ref.sid, 'worker')).toBeUndefined();
    expect(await dueScore(session.ref.sid)).toBeNull();
  });
});

describe('expiry', () => {
  const ttls = async (sid: Parameters<typeof keys.session>[0]): Promise<readonly number[]> => {
    const present = await fixture.redis.client.keys(`*{${sid}}*`);
    return Promise.all(present.filter((key) => !key.includes(':step:')).map((key) => fixture.redis.client.pexpiretime(key)));
  };

  test(verifies('G4:expiry', 'all keys of a session expire at the same time; none while a turn runs or a call is open'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    expect(new Set(await ttls(session.ref.sid)).size).toBe(1);
    expect((await ttls(session.ref.sid))[0]).toBeGreaterThan(Date.now());
    await session.say('go');
    await session.say('wait');
    await session.take();
    await session.openCall();
    expect(new Set(await ttls(session.ref.sid))).toEqual(new Set([-1]));
    const { turnId } = (await store.readMeta(session.ref))!;
    const [open] = await store.readCalls(session.ref.sid);
    await session.commit({ history: ['{}'], calls: [{ kind: 'close', callId: open?.callId ?? '', synthetic: false }] });
    await session.commit({ endTurn: { turnId } });
    const next = (await store.readMeta(session.ref))?.turnId ?? '';
    expect(new Set(await ttls(session.ref.sid))).toEqual(new Set([-1]));
    await session.commit({ inboxUpTo: 2, endTurn: { turnId: next } });
    const after = await ttls(session.ref.sid);
    expect(after.length).toBeGreaterThan(4);
    expect(new Set(after).size).toBe(1);
    expect(after[0]).toBeGreaterThan(Date.now());
  });
});

test(
  verifies(
    'R4:upgrade',
    'what waits in a session of an older release waits on: its calls, its queue and its inbox are found under their new names',
  ),
  async () => {
    const { redis, bus } = fixture;
    const session = await fixture.session();
    const [asked, refused] = [await session.openCall({ state: 'waiting_approval' }), await session.openCall({ state: 'waiting_approval' })];
    await session.decide(refused, 'rejected');
    await session.say('later');
    const before = await bus.store.read(session.ref, { historyItems: 0 });
    const names: Readonly<Record<string, string>> = {
      ...{ state: 's', frame: 'f', args_sha256: 'd', fence: 'n', expires_at: 'x', decision: 'o', idempotency: 'i', deadline_ms: 'l' },
      ...{ heard_in: 'e', seq: 'q', tool_name: 'm', turn_id: 't', summary: 's' },
    };
    const key = (noun: string): string => `cl:{${session.ref.sid}}:${noun}`;
    for (const noun of ['calls', 'queue']) {
      const fields = await redis.client.hgetall(key(noun));
      for (const [field, value] of Object.entries(fields)) {
        const [, id, name = ''] = /^(.+):(\w+)$/.exec(field) ?? [];
        if (name !== '') await redis.client.hdel(key(noun), field);
        if (names[name] !== undefined) await redis.client.hset(key(noun), `${id}:${names[name]}`, value === 'refused' ? 'answered' : value);
      }
    }
    const sizes = (await redis.client.hget(key('meta'), 'inbox_sizes'))?.split(' ') ?? [];
    for (const [place, size] of sizes.entries()) await redis.client.hset(key('meta'), `size:${String(place + 2)}`, size);
    await redis.client.hdel(key('meta'), 'inbox_sizes');
    await redis.client.hset(key('meta'), 'schema', '1');
    expect(await bus.store.readCalls(session.ref.sid)).toEqual(before?.calls);
    expect(await bus.store.read(session.ref, { historyItems: 0 })).toMatchObject({ calls: before?.calls, queue: before?.queue });
    expect(await session.settle(refused)).toEqual({ kind: 'settled', outcome: 'duplicate' });
    expect(await session.decide(asked, 'approved')).toMatchObject({ kind: 'decided' });
    const unread = (await bus.store.readInbox(session.ref.sid, 0)).at(-1)?.id ?? 0;
    expect(await session.commit({ inboxUpTo: unread })).toMatchObject({ seq: expect.any(Number) });
    expect(await redis.client.hmget(key('meta'), 'inbox_sizes', 'inbox_bytes', 'schema')).toEqual(['', '0', '2']);
  },
);

test(verifies('R4:newer-release', 'a session that a newer release works on is left alone'), async () => {
  const { redis, bus } = fixture;
  const session = await fixture.session();
  await redis.client.hset(`cl:{${session.ref.sid}}:meta`, 'schema', '3');
  const before = await session.dump();
  await expect(session.say('go')).rejects.toThrow(/newer release/);
  expect(await session.dump()).toEqual(before);
  expect(await bus.store.readMeta(session.ref)).toBeDefined();
});
