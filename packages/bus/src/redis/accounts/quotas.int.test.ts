import { describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { TestSession } from '../../../test/test-session.js';
import { newId } from '../../new-id.js';
import { QuotaError } from '../../accounts/quota-error.js';
import { ownerHash, sessionRef, tenantHash, type SessionRef } from '../../session-ref.js';
import { createKeys } from '../keys/keys.js';

const KIB = 1024;
const JOINING = { clientId: 'ide', tools: '[]', protocolVersion: '2.0' };

describe.each([
  ['one Redis', {}],
  ['a cluster', { cluster: true }],
])('in %s', (_, options) => {
  const fixture = useBus(options, { quotas: { ownerBytes: 256 * KIB, tenantBytes: 512 * KIB } });

  const newSession = async (tenant: string, sub: string): Promise<TestSession> => {
    const ref = sessionRef({ tenant, sub }, newId('ses'));
    const meta = await fixture.bus.store.join(ref, JOINING, { create: true });
    return TestSession.of(fixture.bus, fixture.redis, meta!);
  };
  const say = (session: TestSession, bytes: number) => session.say('x'.repeat(bytes));
  const sumOf = async ({ owner }: SessionRef): Promise<number> =>
    Number(await fixture.redis.client.hget(createKeys().storedOf(ownerHash(owner)), 'sum'));

  test(
    verifies('G4:quota-owner', 'a person who stores as much as they may is refused more, others are not, and what they delete makes room'),
    async () => {
      const sessions: TestSession[] = [];
      const hoard = async (): Promise<void> => {
        for (let times = 0; times < 100; times += 1) {
          sessions.push(await newSession('acme', 'hoarder'));
          await say(sessions.at(-1)!, 10 * KIB);
        }
      };
      await expect(hoard()).rejects.toThrow(/Your sessions take \d+ bytes, and the quota is 262144 .*delete sessions/);
      expect(sessions.length).toBeGreaterThan(8);
      expect(sessions.length).toBeLessThan(30);
      const [session] = sessions as [TestSession];
      // What is there can be opened, and somebody else works.
      expect(await fixture.bus.store.join(session.ref, JOINING, { create: true })).toBeDefined();
      expect((await say(await newSession('acme', 'modest'), KIB)).kind).toBe('accepted');
      for (const { ref } of sessions) expect(await fixture.bus.store.remove(ref)).toBe(true);
      expect(await sumOf(session.ref)).toBe(0);
      expect((await say(await newSession('acme', 'hoarder'), 10 * KIB)).kind).toBe('accepted');
    },
  );

  test(verifies('G4:quota-tenant', 'persons of a tenant share what it may store, and other tenants are not concerned'), async () => {
    const fill = async (sub: string): Promise<void> => {
      for (let times = 0; times < 5; times += 1) await say(await newSession('crowd', sub), 20 * KIB);
    };
    for (const sub of ['one', 'two', 'three', 'four']) await fill(sub);
    const tenantSum = () => fixture.redis.client.hget(createKeys().storedOfTenant(tenantHash('crowd')), 'sum');
    await eventually('all are counted', async () => Number(await tenantSum()) > 430 * KIB);
    await expect(fill('five')).rejects.toThrow(/The sessions of your tenant take/);
    expect((await say(await newSession('other', 'one'), KIB)).kind).toBe('accepted');
  });

  test(
    verifies('G4:quota-size', 'the size of a session is what it holds: it grows with what comes in, shrinks with what is consumed'),
    async () => {
      const session = await newSession('scales', 'weigher');
      const size = async (): Promise<number> => {
        await fixture.bus.storage.recount();
        return sumOf(session.ref);
      };
      const empty = await eventually('the first size', async () => (await sumOf(session.ref)) || undefined);
      await say(session, 20 * KIB);
      await eventually('the message', async () => (await sumOf(session.ref)) > empty + 20 * KIB);
      await session.take();
      await session.commit({ history: ['h'.repeat(5 * KIB)], frames: [`{"f":"${'f'.repeat(3 * KIB)}"}`] });
      const written = await size();
      expect(written).toBeGreaterThan(empty + 8 * KIB);
      expect(written).toBeLessThan(empty + 9 * KIB);
      const callId = await session.openCall();
      const before = await size();
      await session.settle(callId, { frame: `{"r":"${'r'.repeat(10 * KIB)}"}` });
      expect(await size()).toBeGreaterThan(before + 20 * KIB); // in the inbox, and at the call until it is closed
      const [entry] = await fixture.bus.store.readInbox(session.ref.sid, 1);
      await session.commit({ inboxUpTo: entry?.id ?? 0, calls: [{ kind: 'close', callId, synthetic: false }] });
      expect(await size()).toBeLessThan(before + KIB);
      expect(await session.decide('nothing', 'approved')).toMatchObject({ kind: 'refused' });
    },
  );

  test(verifies('G4:quota-expiry', 'what expired is taken out by the recount: no counter only grows'), async () => {
    const session = await newSession('past', 'gone');
    await eventually('it is counted', async () => (await sumOf(session.ref)) > 0);
    await fixture.bus.storage.recount(); // the sum of all follows that of the person
    const before = await fixture.bus.storage.use();
    await fixture.redis.client.del(...createKeys().session(session.ref.sid).all);
    await fixture.bus.storage.recount();
    expect(await sumOf(session.ref)).toBe(0);
    expect((await fixture.bus.storage.use()).totalBytes).toBeLessThan(before.totalBytes);
  });

  test(verifies('R3:quota-turn', 'a result without room stops its turn once, by an entry that says whose quota it is'), async () => {
    const session = await newSession('halt', 'stopped');
    const callId = await session.openCall();
    const settle = () => session.settle(callId, { frame: `{"r":"${'r'.repeat(300 * KIB)}"}` });
    await expect(settle()).rejects.toBeInstanceOf(QuotaError);
    await expect(settle()).rejects.toBeInstanceOf(QuotaError);
    const entries = await fixture.bus.store.readInbox(session.ref.sid, 1);
    expect(entries).toMatchObject([{ kind: 'quota', message: expect.stringContaining('Your sessions take') }]);
    expect((await session.log()).at(-1)).toContain(`"type":"tool_cancel","call_id":"${callId}"`);
    // A stranger to the call stops nothing.
    const other = await newSession('halt', 'stopped too');
    const otherCall = await other.openCall();
    await expect(other.settle(otherCall, { clientId: 'observer', frame: `{"r":"${'r'.repeat(300 * KIB)}"}` })).rejects.toBeInstanceOf(
      QuotaError,
    );
    expect(await fixture.bus.store.readInbox(other.ref.sid, 1)).toEqual([]);
  });
});
