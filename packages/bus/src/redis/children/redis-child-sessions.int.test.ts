import { describe, expect, test } from 'vitest';
import { followSession, verifies } from '@codelab/testkit';
import { digest, TestSession } from '../../../test/test-session.js';
import { useBus } from '../../../test/bus-fixture.js';
import type { NewChild } from '../../child-record.js';
import { MAX_OPEN_CHILDREN, SERVER_EXECUTOR } from '../../child-sessions.js';
import { newId } from '../../new-id.js';
import { ownerHash, sessionRef } from '../../session-ref.js';

const fixture = useBus();
const NEVER_USED = 'ses_that_never_was';

const request = (more: Partial<NewChild> = {}): NewChild => ({
  ...{ sessionId: newId('ses'), turnId: newId('turn'), model: 'm', base: '{"messages":[]}', maxToolRounds: 3 },
  ...{ callerTools: [{ name: 'weather', description: '', parameters: {} }], serverTools: [], executorTools: ['write_file'] },
  ...more,
});

const open = async (parent: TestSession, more: Partial<NewChild> = {}): Promise<TestSession> => {
  const opened = await fixture.bus.children.open(parent.ref, request(more));
  if (opened.kind !== 'opened') throw new Error(`refused: ${opened.code}`);
  return TestSession.of(fixture.bus, fixture.redis, opened.child);
};

const heldKey = 'cl:{held}';
const heldOf = ({ ref }: TestSession): string => JSON.stringify([ref.owner.tenant, ref.owner.sub, ref.sessionId]);

describe('a child', () => {
  test(verifies('R4:child-opened', 'has its turn, its base and the executor of its parent from the first moment'), async () => {
    const { bus, redis } = fixture;
    const parent = await fixture.session();
    await bus.store.patch(parent.ref, { mode: 'strict' });
    const heard: string[] = [];
    const { epoch, seq } = parent.meta;
    const feed = await followSession(bus.streams, parent.ref, { epoch, seq }, (event) => heard.push(JSON.stringify(event)));
    const wanted = request();
    const opened = await bus.children.open(parent.ref, wanted);
    expect(opened).toMatchObject({
      kind: 'opened',
      child: {
        ...{ executor: 'ide', executorTools: '["write_file"]', protocolVersion: '2.0', mode: 'strict', model: 'm', turnId: wanted.turnId },
        child: { parent: parent.ref.sessionId, origin: 'proxy', callerTools: wanted.callerTools, maxToolRounds: 3 },
      },
    });
    const child = TestSession.of(bus, redis, (opened as Extract<typeof opened, { kind: 'opened' }>).child);
    const { inbox } = await child.take();
    expect(inbox).toMatchObject([{ kind: 'message', turnId: wanted.turnId, steered: false }]);
    expect(await bus.children.of([parent.ref])).toEqual([[child.ref]]);
    await redis.client.zadd(`cl:{${parent.ref.sid}}:children`, String(1e15 + Date.now()), NEVER_USED);
    expect(await bus.children.of([parent.ref, child.ref])).toEqual([[child.ref], []]);
    await feed.close();
    expect(heard.join()).toContain(`child_opened","session_id":"${child.ref.sessionId}`);
  });

  test('is asked with its base until it is closed, and is known by its calls after that', async () => {
    const { bus } = fixture;
    const [parent, other] = [await fixture.session(), await fixture.session()];
    const child = await open(parent, { base: '{"messages":["begin"]}' });
    await child.take();
    const callId = await child.openCall();
    const { stepId, request: plain } = child.request(child.meta.turnId);
    await child.commit({ modelRequest: { stepId, request: JSON.stringify({ ...JSON.parse(plain), hasBase: true }) } });
    const bases: (string | undefined)[] = [];
    const served = new Promise<void>((resolve) => {
      void bus.models
        .consume(
          async (step) => {
            bases.push(await step.readBase());
            await step.fail({ code: 'unavailable', message: '', retryable: false });
            resolve();
          },
          { consumer: 'one', concurrency: 1 },
        )
        .then((consumer) => served.then(() => consumer.close()));
    });
    await served;
    expect(bases).toEqual(['{"messages":["begin"]}']);
    await bus.children.close(parent.ref, child.ref);
    expect((await bus.store.readMeta(child.ref))?.cancelTurnId).toBe(child.meta.turnId);
    expect(await bus.children.of([parent.ref])).toEqual([[]]);
    const find = async ({ ref }: TestSession) => [...(await bus.children.findCalls(ref, ['call_unknown', callId]))];
    expect(await find(parent)).toEqual([[callId, { child: child.ref, isOpen: true }]]);
    expect(await find(other)).toEqual([]);
    expect(JSON.stringify(await child.dump())).not.toContain('messages\\":[\\"begin');
  });

  test(verifies('S1:child-unlisted', 'is in no list, takes no client, opens no child, and goes with its parent'), async () => {
    const { bus, redis } = fixture;
    const parent = await fixture.session();
    const child = await open(parent);
    expect(await bus.store.join(child.ref, { clientId: 'ide', tools: '[]', protocolVersion: '2.0' }, { create: true })).toBeUndefined();
    const names = (await bus.store.list(parent.ref.owner, { offset: 0, limit: 100 })).map(({ ref }) => ref.sessionId);
    expect([names.includes(parent.ref.sessionId), names.includes(child.ref.sessionId)]).toEqual([true, false]);
    expect(await bus.children.open(child.ref, request())).toEqual({ kind: 'refused', code: 'NO_EXECUTOR' });
    expect(await bus.children.open(sessionRef(parent.ref.owner, NEVER_USED), request())).toMatchObject({ code: 'NO_EXECUTOR' });
    expect(await bus.store.remove(parent.ref)).toBe(true);
    expect(await redis.client.keys(`*{${parent.ref.sid}}*`)).toEqual([]);
    expect(await redis.client.keys(`*{${child.ref.sid}}*`)).toEqual([]);
  });

  test('is kept for an hour after its turn, and one too many is refused', async () => {
    const { bus, redis } = fixture;
    const parent = await fixture.session();
    const child = await open(parent);
    const ttl = (noun: string): Promise<number> => redis.client.pttl(`cl:{${child.ref.sid}}:${noun}`);
    expect(await ttl('meta')).toBe(-1);
    await child.take();
    await child.commit({ endTurn: { turnId: child.meta.turnId }, audit: [{ outcome: 'denied', by: 'policy' }] });
    expect(await bus.children.of([parent.ref])).toEqual([[]]);
    expect(await ttl('meta')).toBeLessThanOrEqual(3_600_000);
    expect(await ttl('audit')).toBeGreaterThan(86_400_000);
    for (let count = 0; count < MAX_OPEN_CHILDREN; count += 1) await open(parent);
    expect(await bus.children.open(parent.ref, request())).toEqual({ kind: 'refused', code: 'FULL' });
    await bus.store.remove(parent.ref);
  });

  test(verifies('L2:child-abandoned', 'is cancelled when the process that opened it is gone, and not before'), async () => {
    const { bus, redis } = fixture;
    const parent = await fixture.session();
    const [left, kept] = [await open(parent), await open(parent)];
    await redis.client.zadd(heldKey, 'XX', String(Date.now() - 1000), heldOf(left));
    await bus.children.cancelAbandoned();
    const cancelled = await Promise.all([left, kept].map(async ({ ref }) => (await bus.store.readMeta(ref))?.cancelTurnId));
    expect(cancelled).toEqual([left.meta.turnId, '']);
    expect([await redis.client.zscore(heldKey, heldOf(left)), await redis.client.zscore(heldKey, heldOf(kept))]).toEqual([
      null,
      expect.any(String),
    ]);
    await bus.children.close(parent.ref, kept.ref);
    expect(await redis.client.zscore(heldKey, heldOf(kept))).toBeNull();
  });

  test(verifies('H3:child-audit', 'leaves its decisions in the trails of its parent and its person'), async () => {
    const { audit } = fixture.bus;
    const parent = await fixture.session();
    const child = await open(parent);
    await child.take();
    await child.openCall({ state: 'waiting_approval' });
    await child.commit({ audit: [{ outcome: 'asked', by: 'policy', toolName: 'write_file' }] });
    await parent.openCall();
    await parent.commit({ audit: [{ outcome: 'allowed', by: 'policy' }] });
    const { entries } = await audit.readSession(parent.ref, { limit: 10 });
    const { sessionId } = parent.ref;
    expect(entries).toMatchObject([
      { outcome: 'allowed', sessionId },
      { outcome: 'asked', sessionId, origin: 'proxy' },
    ]);
    expect(entries[0]).not.toHaveProperty('origin');
    const [newest] = (await audit.readPerson(parent.ref.owner, { limit: 1 })).entries;
    expect(newest).toEqual(entries[0]);
    const all = (await audit.readPerson(parent.ref.owner, { limit: 100 })).entries;
    expect(all).toContainEqual(entries[1]);
  });

  test(verifies('R2:child-server-call', 'has calls that belong to llm-proxy from their beginning'), async () => {
    const { store } = fixture.bus;
    const child = await open(await fixture.session());
    await child.take();
    const callId = newId('call');
    const frame = `{"type":"tool_call","call_id":"${callId}","tool_name":"lookup","args":{},"deadline_ms":60000,"idempotency":"unsafe"}`;
    const head = { callId, toolName: 'lookup', idempotency: 'unsafe', deadlineMs: 60_000 } as const;
    const call = { ...head, frame, state: 'ready', argsSha256: digest('a'), fence: 1, expiresAtMs: 0, givenTo: SERVER_EXECUTOR } as const;
    await child.commit({ frames: [frame], calls: [{ kind: 'open', call }] });
    expect(await store.giveCall(child.ref, { callId, fence: 1, to: 'ide' })).toBe(false);
    expect(await store.acknowledge(child.ref, { callId, clientId: 'ide', fence: 1, state: 'started' })).toBe(false);
    expect(await child.settle(callId)).toEqual({ kind: 'refused', code: 'FORBIDDEN' });
    expect(await store.acknowledge(child.ref, { callId, clientId: SERVER_EXECUTOR, fence: 1, state: 'started' })).toBe(true);
    expect(await child.settle(callId, { clientId: SERVER_EXECUTOR })).toEqual({ kind: 'settled', outcome: 'accepted' });
  });
});

describe('a connected executor', () => {
  test(verifies('S1:connected', 'is named while any gateway says so, to its person alone, and children never are'), async () => {
    const { bus, redis } = fixture;
    const [one, other] = [bus, await fixture.another()];
    const owner = { tenant: 'acme', sub: newId('worker') };
    const [first, second, silent] = ['b', 'a', 'c'].map((name) => sessionRef(owner, name));
    for (const ref of [first!, second!])
      await bus.store.join(ref, { clientId: 'ide', tools: '[]', protocolVersion: '2.0' }, { create: true });
    await bus.store.join(silent!, { clientId: 'viewer', protocolVersion: '2.0' }, { create: true });
    const names = async (person = owner): Promise<readonly string[]> =>
      (await bus.children.connected(person)).map(({ ref }) => ref.sessionId).sort();
    await one.children.announce([first!, second!, silent!]);
    await other.children.announce([first!]);
    expect(await names()).toEqual(['a', 'b']);
    expect(await names({ tenant: 'acme', sub: 'bob' })).toEqual([]);
    await one.children.leave(first!);
    await one.children.leave(second!);
    expect(await names()).toEqual(['b']);
    const key = `cl:{own:${ownerHash(owner)}}:present`;
    const entries = await redis.client.zrange(key, 0, '-1');
    for (const entry of entries) await redis.client.zadd(key, 'XX', String(Date.now() - 1000), entry);
    expect(await names()).toEqual([]);
    expect(await redis.client.pttl(key)).toBeLessThanOrEqual(15_000);
  });
});
