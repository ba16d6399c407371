import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followSession, eventually, verifies } from '@codelab/testkit';
import { startCluster, type TestCluster } from '../../test/start-cluster.js';
import { digest, TestSession } from '../../test/test-session.js';
import { useBus } from '../../test/bus-fixture.js';
import { counts } from '../../test/ledger-fixture.js';
import { newId } from '../new-id.js';
import type { Owner } from '../session-ref.js';
import { connectBus, type Bus } from './create-bus.js';
import { KEY_KINDS } from './keys/key-kinds.js';
import { matchKey } from './keys/key-kind.js';
import { createKeys } from './keys/keys.js';

const fixture = useBus({ cluster: true });

/** Everything that a bus counts for a person, once. */
const countFor = async ({ ledger, toolCalls }: Bus, owner: Owner): Promise<void> => {
  const ask = { limits: { requests: 1_000, tokens: 1_000_000 }, inputTokens: 1, outputTokens: 1, costUsd: 0.01 };
  for (const requestId of [newId('step'), newId('step')]) {
    const answer = await ledger.reserve(owner, { ...ask, requestId, budget: { usd: 9, per: 'day' } });
    if (answer.kind === 'reserved') ledger.settle(owner, { receipt: answer.receipt, used: { ...counts({ costUsd: 0.01 }), model: 'm' } });
  }
  const row = { callId: 'call_1', tool: 't', model: 'm', round: 1, source: 'http', outcome: 'ok', startedAtMs: 1, durationMs: 1 } as const;
  toolCalls.record(owner, { ...row, bytesIn: 1, bytesOut: 1 });
  await Promise.all([ledger.flush(), toolCalls.flush()]);
  await ledger.reserve(owner, { ...ask, requestId: 'goes on' });
};

const REPORT = {
  ...{ service: 'gateway', replica: 'abc', version: '1', startedAtMs: 1, atMs: 2, waitingFor: [] },
  ...{ numbers: { connections: 1 }, histograms: [], settings: [] },
} as const;

/** Everything that a bus does with a session, once. */
const liveThrough = async (bus: Bus, session: TestSession, { remove = true } = {}): Promise<void> => {
  const { store, wakes, models, streams, alerts } = bus;
  const seen: number[] = [];
  const heard: unknown[] = [];
  await followSession(streams, session.ref, { epoch: session.meta.epoch, seq: 0 }, (event) => {
    if (event.kind === 'logged') seen.push(...event.frames.map(({ seq }) => seq));
  });
  await alerts.watch(session.ref.sid, ({ entry }) => heard.push(entry?.kind));
  const woken: string[] = [];
  const worker = await wakes.work(async (sid) => void woken.push(sid), { concurrency: 1 });
  await session.say('go');
  await eventually('the wake', () => woken.length === 1);
  const [asked, ready] = [await session.openCall({ state: 'waiting_approval' }), await session.openCall()];
  await store.showPreview(session.ref, { callId: asked, clientId: 'ide', frame: '{"type":"approval_updated"}' });
  expect(await session.decide(asked, 'edited', { decidedOn: digest('a'), argsSha256: digest('b') })).toMatchObject({ kind: 'decided' });
  expect(await store.giveCall(session.ref, { callId: ready, fence: 1, to: 'ide' })).toBe(true);
  expect(await store.acknowledge(session.ref, { callId: ready, clientId: 'ide', fence: 1, state: 'started' })).toBe(true);
  expect(await session.settle(ready)).toMatchObject({ outcome: 'accepted' });
  await session.say('later');
  await store.removeQueued(session.ref, 'nothing');
  await store.switchAgent(session.ref, 'ask', '{"type":"agent_switched"}');
  await store.patch(session.ref, { title: 'x', agent: 'coder' });
  const rule = { rule: '{"effect":"allow","tool":"write_file"}', by: 'ann', expiresAtMs: 0 };
  await bus.rules.keep({ scope: 'session', session: session.ref }, rule);
  const kept = await bus.rules.keep({ scope: 'user', owner: session.ref.owner }, rule);
  expect((await bus.rules.readFor(session.ref)).map(({ scope }) => scope)).toEqual(['session', 'user']);
  expect(await bus.rules.revoke(session.ref.owner, 'ruleId' in kept ? kept.ruleId : '', 'ann')).toBe(1);
  expect(await bus.rules.list(session.ref.owner, { scope: 'session', session: session.ref })).toHaveLength(1);
  expect((await bus.audit.readPerson(session.ref.owner, { limit: 1 })).entries).toHaveLength(1);
  await countFor(bus, session.ref.owner);
  const tool = { name: 'tides', description: '', inputSchema: {}, source: 'http', access: 'write', tags: [] } as const;
  await bus.publishedTools.publish([tool]);
  expect(await bus.publishedTools.read()).toContainEqual(tool);
  await bus.signIns.keep('abc', 'sealed', 1_000);
  expect([await bus.signIns.read('abc'), await bus.signIns.take('abc'), await bus.signIns.take('abc')]).toEqual([
    'sealed',
    'sealed',
    undefined,
  ]);
  await bus.signIns.keep('abc', 'sealed', 60_000);
  await bus.serviceReports.publish(REPORT);
  expect(await bus.serviceReports.read()).toEqual([REPORT]);
  expect(await bus.serviceReports.readQueues()).toContainEqual(expect.objectContaining({ queue: 'sessions' }));
  await store.moveExecutor(session.ref, 'laptop');
  const turnId = (await store.readMeta(session.ref))?.turnId ?? '';
  const consumer = await models.consume(
    async (step) => {
      step.publish({ offset: 0, text: 'hello' });
      await step.answer({ model: 'm', text: 'hello', toolCalls: [], finish: 'stop', usage: { inputTokens: 0, outputTokens: 0 } });
    },
    { consumer: 'one', concurrency: 1 },
  );
  const inboxUpTo = (await store.readInbox(session.ref.sid, 0)).at(-1)?.id ?? 0;
  await session.commit({ inboxUpTo, history: ['{}'], modelRequest: session.request(turnId) });
  await eventually('the answer', () => heard.includes('answer'));
  await store.requestCancel(session.ref, { queue: false });
  expect(await store.renewLeases([{ sid: session.ref.sid, leaseFence: session.leaseFence }])).toEqual([]);
  const last = (await store.readInbox(session.ref.sid, 0)).at(-1)?.id ?? 0;
  const calls = [asked, ready].map((callId) => ({ kind: 'close' as const, callId, synthetic: false }));
  expect(await session.commit({ inboxUpTo: last, calls, endTurn: { turnId } }, turnId)).toMatchObject({
    seq: expect.any(Number),
  });
  await session.commit({ inboxUpTo: last + 1 });
  expect(await store.releaseLease(session.ref.sid, session.leaseFence, { wakeAtMs: Date.now() + 60_000 })).toBe('released');
  expect(await wakes.due(10)).not.toContain(session.ref.sid);
  expect((await store.read(session.ref, { historyItems: 5 }))?.history).toEqual(['{}']);
  expect((await store.list(session.ref.owner, { offset: 0, limit: 5 })).map(({ ref }) => ref.sid)).toContain(session.ref.sid);
  const { seq } = (await store.readMeta(session.ref))!;
  await eventually('all frames', () => seen.length === seq);
  await consumer.close();
  await worker.close();
  if (remove) expect(await store.remove(session.ref)).toBe(true);
};

test(verifies('R1:slots', 'every script of a session works in one slot of a cluster, and every other command in its own'), async () => {
  await liveThrough(fixture.bus, await fixture.session());
});

test(verifies('G4:keys', 'the reference names every key that a session leaves, with its type'), async () => {
  await liveThrough(fixture.bus, await fixture.session(), { remove: false });
  const { client } = fixture.redis;
  const kinds = KEY_KINDS.filter(({ type }) => type !== 'channel').map((kind) => ({ ...kind, pattern: matchKey(kind) }));
  for (const key of await client.keys('*')) {
    const row = kinds.find(({ pattern }) => pattern.test(key));
    expect({ key, type: row?.type === 'BullMQ' ? 'BullMQ' : await client.type(key) }).toEqual({ key, type: row?.type });
    if ((await client.pttl(key)) === -1) expect({ key, without: row?.life.without }).toEqual({ key, without: expect.any(String) });
  }
});

test(verifies('R1:one-slot', 'all keys and channels of a session have the same slot'), async () => {
  const session = await fixture.session();
  const keys = createKeys().session(session.ref.sid);
  const names = [...keys.all, keys.step('step_x'), keys.live, keys.wake, keys.delta, keys.stop];
  const slots = await Promise.all(names.map((name) => fixture.redis.client.call('CLUSTER', 'KEYSLOT', name)));
  expect(new Set(slots).size).toBe(1);
});

describe('a cluster of three', () => {
  let cluster: TestCluster;
  let bus: Bus;
  beforeAll(async () => {
    cluster = await startCluster();
    bus = await connectBus({ url: cluster.url, signal: AbortSignal.timeout(20_000) });
  });
  afterAll(async () => {
    await bus?.close();
    await cluster?.close();
  });

  test(verifies('R1:cluster', 'serves sessions on every node; what is watched, due, held and listed is found on all of them'), async () => {
    for (let times = 0; times < 6; times += 1) await liveThrough(bus, await TestSession.join(bus, undefined));
    const sessions = await Promise.all(Array.from({ length: 12 }, () => TestSession.join(bus, undefined)));
    const seen = new Map<string, number[]>();
    for (const session of sessions) {
      await followSession(bus.streams, session.ref, { epoch: session.meta.epoch, seq: 0 }, (event) => {
        if (event.kind === 'logged')
          seen.set(session.ref.sid, [...(seen.get(session.ref.sid) ?? []), ...event.frames.map(({ seq }) => seq)]);
      });
      await session.say('go');
      await session.take();
    }
    const leases = sessions.map(({ ref, leaseFence }) => ({ sid: ref.sid, leaseFence }));
    expect(await bus.store.renewLeases(leases)).toEqual([]);
    for (const session of sessions) await session.commit({ frames: ['{}', '{}'] });
    await eventually('all frames', () => sessions.every(({ ref }) => seen.get(ref.sid)?.length === 2));
    const names = (await bus.store.list({ tenant: 'acme', sub: 'ann' }, { offset: 0, limit: 50 })).map(({ ref }) => ref.sessionId);
    expect(new Set(names)).toEqual(new Set(sessions.map(({ ref }) => ref.sessionId)));
    const held = await Promise.all(cluster.nodes.map((node) => node.dbsize()));
    expect(Math.min(...held)).toBeGreaterThan(0);
  });

  const census = async (): Promise<string[]> => (await Promise.all(cluster.nodes.map((node) => node.keys('cl:*')))).flat();

  test(
    verifies('R4:cluster-rests', 'the janitor puts sessions away on every node, and they come back as they were, long strings included'),
    async () => {
      const everything = { keys: Infinity, graceMs: 0 };
      const long = 'a result\n'.repeat(4_000);
      // So many that no node is without one: by chance it happens once in four million runs.
      const sessions = await Promise.all(Array.from({ length: 40 }, () => TestSession.join(bus, undefined)));
      const calls = await Promise.all(
        sessions.map(async (session) => {
          const callId = await session.openCall({ state: 'waiting_approval', args: JSON.stringify({ content: long }) });
          await session.commit({ history: [JSON.stringify({ role: 'tool', content: long })] });
          await bus.store.releaseLease(session.ref.sid, session.leaseFence, {});
          return { callId, before: await bus.store.read(session.ref, { historyItems: 5 }) };
        }),
      );
      expect((await census()).filter((key) => key.startsWith('cl:{blob:') && key.endsWith(':text'))).toHaveLength(1);
      await eventually('all rest', async () => {
        await bus.janitor.run({ ...everything, freezeAfterMs: 1 });
        return (await census()).filter((key) => key.endsWith(':frozen')).length === sessions.length;
      });
      for (const node of cluster.nodes) expect((await node.keys('*:frozen')).length).toBeGreaterThan(0);
      for (const [n, session] of sessions.entries()) {
        const { callId, before } = calls[n]!;
        expect(await bus.store.readWaiting([session.ref.sid])).toEqual([before?.calls]);
        expect(await session.decide(callId, 'approved')).toMatchObject({ kind: 'decided' });
        expect((await bus.store.read(session.ref, { historyItems: 5 }))?.history).toEqual(before?.history);
        expect(await session.log(1)).toHaveLength(1);
      }
    },
  );

  test(
    verifies('G4:cluster-leftovers', 'the janitor takes what is left of sessions from every node, by its schedule and in parts'),
    async () => {
      const sessions = await Promise.all(Array.from({ length: 12 }, () => TestSession.join(bus, undefined)));
      const texts = sessions.map((_, n) => `facts of ${String(n)} `.repeat(60));
      await Promise.all(sessions.map(({ ref }, n) => bus.store.keepFacts(ref, { clientId: 'ide', text: texts[n]! })));
      const [left, kept] = [sessions.slice(0, 8), sessions.slice(8)];
      const isLeft = (key: string): boolean => left.some(({ ref }) => key.includes(ref.sid));
      for (const node of cluster.nodes) {
        const keys = (await node.keys('cl:*')).filter(isLeft);
        for (const key of keys) await node.del(key); // as its TTL does it
        for (const key of keys.filter((one) => one.endsWith(':meta'))) await node.hset(key.replace(/meta$/, 'calls'), 'late', '1');
      }
      const schedule = await bus.janitor.schedule({ keys: 500, graceMs: 0, everyMs: 100 }, () => undefined);
      await eventually('nothing is left', async () => !(await census()).some(isLeft));
      await eventually('no text is left but those of the living', async () => {
        const users = await Promise.all(
          cluster.nodes.map(async (node) => Promise.all((await node.keys('cl:{blob:*}:users')).map((key) => node.smembers(key)))),
        );
        return !users.flat(2).some(isLeft);
      });
      await schedule.close();
      const facts = await Promise.all(kept.map(({ ref }) => bus.store.readFacts(ref)));
      expect(facts.map(({ latest }) => latest)).toEqual(texts.slice(8));
      await Promise.all(kept.map(({ ref }) => bus.store.remove(ref)));
    },
  );

  test(verifies('G3:cluster-flushed', 'a session that was deleted is told from one that its node lost'), async () => {
    const [deleted, lost] = [await TestSession.join(bus, undefined), await TestSession.join(bus, undefined)];
    const read = async ({ ref, meta: { epoch, seq } }: TestSession) => {
      const stream = await bus.streams.open(ref, { epoch, seq });
      await stream.next(); // it has all that there is
      const gone = stream.next().then(({ kind }) => {
        stream.seek({ epoch, seq }); // as after a store that was away in the middle of it
        return { kind, wasRemoved: stream.wasRemoved };
      });
      return { stream, gone };
    };
    const reads = [await read(deleted), await read(lost)] as const;
    await bus.store.remove(deleted.ref);
    expect(await reads[0].gone).toEqual({ kind: 'reset', wasRemoved: true });
    for (const node of cluster.nodes) await node.flushall();
    expect(await reads[1].gone).toEqual({ kind: 'reset', wasRemoved: false });
    for (const { stream } of reads) stream.close();
  });

  test(verifies('G3:cluster-restart', 'begins a new epoch for the sessions of the node that was restarted, and for no other'), async () => {
    const sessions = await Promise.all(Array.from({ length: 40 }, () => TestSession.join(bus, undefined)));
    await cluster.restart(1);
    const patched = await Promise.all(
      sessions.map(({ ref }) => eventually('the node is back', () => bus.store.patch(ref, { title: 'again' }).catch(() => undefined))),
    );
    const renewed = patched.filter((meta, index) => meta.epoch !== sessions[index]?.meta.epoch);
    const there = await cluster.nodes[1]?.keys('*:meta');
    expect(new Set(renewed.map(({ ref }) => `cl:{${ref.sid}}:meta`).sort())).toEqual(
      new Set(sessions.map(({ ref }) => `cl:{${ref.sid}}:meta`).filter((key) => there?.includes(key))),
    );
    expect(renewed.length).toBeGreaterThan(0);
    expect(renewed.length).toBeLessThan(sessions.length);
  });
});
