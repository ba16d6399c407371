import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { loadScripts } from '../load-scripts.js';
import { useBus } from '../../../test/bus-fixture.js';
import { digest, type TestSession } from '../../../test/test-session.js';
import { createKeys } from '../keys/keys.js';

const fixture = useBus();
const everything = { keys: 1_000_000, graceMs: 0, freezeAfterMs: 0 };
const keysOf = ({ ref }: TestSession) => createKeys().session(ref.sid);

/** A session that waits for a human, and whose runtime has let go of it. */
const parked = async () => {
  const session = await fixture.session();
  await fixture.bus.store.keepFacts(session.ref, { clientId: 'ide', text: '{"files":[]}' });
  const callId = await session.openCall({ state: 'waiting_approval' });
  await session.commit({ audit: (['asked', 'allowed'] as const).map((outcome) => ({ callId, outcome, by: 'policy' })) });
  await fixture.bus.store.releaseLease(session.ref.sid, session.leaseFence, {});
  const before = await session.dump();
  expect(await fixture.bus.janitor.run(everything)).toMatchObject({ frozen: 1, unknown: 0 });
  expect(Object.keys(await session.dump())).toContain('frozen');
  return { session, callId, before };
};
type Parked = Awaited<ReturnType<typeof parked>>;
const forget = ({ session }: Parked) => fixture.bus.store.remove(session.ref);

describe('a session that rests', () => {
  test(verifies('R4:frozen-reads', 'is read as if it did not, and stays put away'), async () => {
    const one = await parked();
    const { session, callId, before } = one;
    const { store } = await fixture.another();
    expect(await store.readMeta(session.ref)).toMatchObject({ executor: 'ide', mode: 'medium', ref: session.ref });
    expect((await store.list(session.ref.owner, { offset: 0, limit: 9 })).map(({ executor }) => executor)).toEqual(['ide']);
    expect(await store.readCalls(session.ref.sid)).toMatchObject([{ callId, state: 'waiting_approval' }]);
    expect(await store.readWaiting([session.ref.sid])).toMatchObject([[{ callId }]]);
    expect(await store.readFacts(session.ref)).toEqual({ first: '{"files":[]}', latest: '{"files":[]}' });
    expect(await session.log()).toHaveLength(1);
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ frozen: 0, orphans: 0, bounded: 0 });
    expect(Object.keys(await session.dump())).toContain('frozen');
    expect(await store.read(session.ref, { historyItems: 1 })).toMatchObject({ calls: [{ callId }] });
    expect(await session.dump()).toEqual(before);
    await forget(one);
  });

  test(verifies('H3:frozen-audit', 'its audit trail is read where it was put away, page by page'), async () => {
    const one = await parked();
    const { audit } = fixture.bus;
    const first = await audit.readSession(one.session.ref, { limit: 1 });
    const second = await audit.readSession(one.session.ref, { limit: 1, ...(first.next === undefined ? {} : { before: first.next }) });
    expect([first, second].flatMap(({ entries }) => entries.map(({ outcome }) => outcome))).toEqual(['allowed', 'asked']);
    expect(second.next).toBeUndefined();
    expect(await one.session.dump()).not.toHaveProperty('audit');
    await forget(one);
  });

  test('is read from where a client has got to', async () => {
    const one = await parked();
    const { session } = one;
    expect(await session.log(1)).toEqual([]);
    const { epoch } = (await fixture.bus.store.readMeta(session.ref))!;
    expect(await fixture.bus.store.replay(session.ref, { epoch: 'another', seq: 0 })).toEqual({ kind: 'gone', epoch, seq: 1 });
    expect(await session.dump()).toHaveProperty('frozen');
    await forget(one);
  });

  test('keeps a long log where it is', async () => {
    const session = await fixture.session();
    await session.take();
    for (let n = 0; n < 3; n += 1) {
      await session.commit({ frames: Array.from({ length: 100 }, () => '{"type":"agent_status"}') });
    }
    await fixture.bus.store.releaseLease(session.ref.sid, session.leaseFence, {});
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ frozen: 1 });
    expect((await session.dump())['log']).toHaveLength(300);
    expect(await session.log(299)).toHaveLength(1);
    await fixture.bus.store.remove(session.ref);
  });

  const ways: Readonly<Record<string, (one: Parked) => Promise<unknown>>> = {
    'a decision': ({ session, callId }) => session.decide(callId, 'approved'),
    'a message': ({ session }) => session.say('and another thing'),
    'a runtime': ({ session }) => session.take(),
    'a client that joins': ({ session }) =>
      fixture.bus.store.join(session.ref, { clientId: 'laptop', protocolVersion: '2.0' }, { create: false }),
    'a client that is given its call': ({ session, callId }) => fixture.bus.store.giveCall(session.ref, { callId, fence: 1, to: 'ide' }),
    'evidence of its executor': ({ session, callId }) =>
      fixture.bus.store.acknowledge(session.ref, { callId, clientId: 'ide', fence: 1, state: 'received' }),
    'a preview': ({ session, callId }) =>
      fixture.bus.store.showPreview(session.ref, { callId, clientId: 'ide', frame: '{"type":"approval_updated"}' }),
  };
  test.each(Object.entries(ways))('is brought back by %s, which finds it as it was', async (_, happen) => {
    const one = await parked();
    expect(await happen(one)).toBeTruthy();
    const now = await one.session.dump();
    expect(now).not.toHaveProperty('frozen');
    expect(now['meta']).toMatchObject({ schema: '2', executor: 'ide', state: (one.before['meta'] as { state: string }).state });
    expect(Object.keys(now['calls'] as object)).toEqual(expect.arrayContaining(Object.keys(one.before['calls'] as object)));
    expect(now['audit']).toEqual(expect.arrayContaining((one.before['audit'] as unknown[] | undefined) ?? []));
    await forget(one);
  });

  test(verifies('R1:frozen-at-once', 'is brought back once, whoever asks at the same time'), async () => {
    const one = await parked();
    const buses = [await fixture.another(), await fixture.another(), fixture.bus];
    const record = { outcome: 'approved', argsSha256: digest('a'), by: 'ann', atMs: 1 } as const;
    const decision = { callId: one.callId, record, frame: '{"type":"approval_resolved"}' };
    const answers = await Promise.all(buses.map(({ store }) => store.decideCall(one.session.ref, decision)));
    expect(answers.filter(({ kind }) => kind === 'decided')).toHaveLength(1);
    expect(await one.session.log(1)).toHaveLength(1);
    await forget(one);
  });

  test('keeps its TTL, and goes as a whole', async () => {
    const { client } = fixture.redis;
    const session = await fixture.session();
    await client.hset(keysOf(session).meta, 'title', 'x'.repeat(500));
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ frozen: 1 });
    const { meta, frozen } = keysOf(session);
    const [one, other] = [await client.pttl(meta), await client.pttl(frozen)];
    expect(one).toBeGreaterThan(0);
    expect(Math.abs(one - other)).toBeLessThan(1_000);
    expect(await client.object('ENCODING', meta)).toBe('listpack');
    expect(await fixture.bus.store.remove(session.ref)).toBe(true);
    expect(await client.keys(`cl:{${session.ref.sid}}*`)).toEqual([]);
  });

  test(verifies('G4:frozen-size', 'takes at most 4 KB beside its history, whatever its turns were'), async () => {
    const one = await parked();
    const { client } = fixture.redis;
    let bytes = 0;
    for (const key of await client.keys(`cl:{${one.session.ref.sid}}*`)) {
      if (!key.endsWith(':history')) bytes += Number(await client.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
    }
    expect(bytes).toBeLessThan(4_096);
    await forget(one);
  });

  test('leaves nothing where it was deleted in the same moment', async () => {
    const session = await fixture.session();
    const { meta, frozen } = keysOf(session);
    const { client } = fixture.redis;
    expect(await fixture.bus.store.remove(session.ref)).toBe(true);
    const freeze = loadScripts().find(({ name }) => name === 'freezeSession')?.lua ?? '';
    const look = loadScripts().find(({ name }) => name === 'lookAtRest')?.lua ?? '';
    const parts = [meta, ...['calls', 'messages', 'log', 'audit'].map((noun) => `cl:{${session.ref.sid}}:${noun}`)];
    const [nothing] = (await client.eval(look, parts.length, ...parts)) as [string];
    expect(await client.eval(freeze, parts.length + 1, ...parts, frozen, nothing, 'text', 200, 'epoch')).toBe(0);
    expect(await client.keys(`cl:{${session.ref.sid}}*`)).toEqual([]);
  });

  test('is not put away while somebody holds it, or while it waits for a model', async () => {
    const [held, asking] = [await fixture.session(), await fixture.session()];
    await held.say('go');
    await held.take();
    await asking.say('go');
    await asking.take();
    const { turnId } = (await fixture.bus.store.readMeta(asking.ref))!;
    await asking.commit({ inboxUpTo: 1, modelRequest: asking.request(turnId) });
    await fixture.bus.store.releaseLease(asking.ref.sid, asking.leaseFence, {});
    expect(await fixture.bus.janitor.run(everything)).toMatchObject({ frozen: 0 });
  });
});
