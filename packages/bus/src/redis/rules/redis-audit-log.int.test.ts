import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { digest, TestSession } from '../../../test/test-session.js';
import { useBus } from '../../../test/bus-fixture.js';
import { AUDIT_CURSOR, type AuditEntry } from '../../audit-log.js';
import { newId } from '../../new-id.js';
import { sessionRef } from '../../session-ref.js';

const fixture = useBus();
const outcomes = (entries: readonly AuditEntry[]): string[] => entries.map(({ outcome }) => outcome).reverse();

test(
  verifies('H3:audit-rows', 'every decision leaves a row in the step that makes it true, with names, digests and what it was about'),
  async () => {
    const { audit } = fixture.bus;
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval', args: '{"content":"private"}', target: 'a.txt' });
    await session.commit({
      audit: [{ turnId: 't', callId, toolName: 'write_file', outcome: 'asked', by: 'policy', argsSha256: digest('a'), target: 'a.txt' }],
    });
    await session.decide(callId, 'edited', { decidedOn: digest('b') });
    expect(outcomes((await audit.readSession(session.ref, { limit: 10 })).entries)).toEqual(['asked']);
    await session.decide(callId, 'edited', { decidedOn: digest('a'), argsSha256: digest('c'), target: 'b.txt' });
    await session.decide(callId, 'approved');
    const { entries, next } = await audit.readSession(session.ref, { limit: 10 });
    const { turnId } = (await fixture.bus.store.readMeta(session.ref))!;
    expect(next).toBeUndefined();
    expect(entries[0]).toEqual({
      ...{ atMs: expect.any(Number), sessionId: session.ref.sessionId, turnId, callId, toolName: 'write_file' },
      ...{ argsSha256: digest('c'), outcome: 'edited', by: 'ann', target: 'b.txt' },
    });
    expect(outcomes(entries)).toEqual(['asked', 'edited']);
    const dump = JSON.stringify((await session.dump())['audit']);
    expect(dump).not.toContain('private');
  },
);

test(verifies('H3:audit-local', 'what a seed client decides by answering is in the trail too'), async () => {
  const session = await fixture.session({ seed: true });
  const calls = [
    await session.openCall({ state: 'waiting_approval', target: 'a.txt' }),
    await session.openCall({ state: 'waiting_approval' }),
  ];
  await session.settle(calls[0]!, { seed: true });
  await session.settle(calls[1]!, { seed: true, errorCode: 'PERMISSION_DENIED' });
  const { entries } = await fixture.bus.audit.readSession(session.ref, { limit: 10 });
  expect(entries.map(({ callId, outcome, by, toolName, target }) => [callId, outcome, by, toolName, target]).reverse()).toEqual([
    [calls[0], 'approved', 'executor', 'write_file', 'a.txt'],
    [calls[1], 'rejected', 'executor', 'write_file', undefined],
  ]);
});

test('a commit that is refused leaves no row', async () => {
  const session = await fixture.session();
  await session.openCall();
  await fixture.bus.store.requestCancel(session.ref, { queue: false });
  expect(await session.commit({ audit: [{ outcome: 'denied', by: 'policy' }] })).toBe('cancelled');
  expect((await fixture.bus.audit.readSession(session.ref, { limit: 10 })).entries).toEqual([]);
});

test(
  verifies('S1:audit-merged', 'the trails of a person come as one, newest first, in parts without gap or repeat; another sees none'),
  async () => {
    const { bus } = fixture;
    const owner = { tenant: 'acme', sub: newId('worker') };
    const refs = ['one', 'two', 'three'].map((name) => sessionRef(owner, name));
    for (const ref of refs) await bus.store.join(ref, { clientId: 'ide', protocolVersion: '2.0' }, { create: true });
    for (let index = 0; index < 12; index += 1) {
      const rule = {
        rule: JSON.stringify({ effect: 'allow', tool: 'write_file', path: `${String(index)}/**` }),
        by: 'ann',
        expiresAtMs: 0,
      };
      await bus.rules.keep(index % 4 === 3 ? { scope: 'user', owner } : { scope: 'session', session: refs[index % 4]! }, rule);
    }
    const whole = (await bus.audit.readPerson(owner, { limit: 50 })).entries;
    expect(whole).toHaveLength(12);
    expect([...whole].sort((one, other) => other.atMs - one.atMs)).toEqual(whole);
    const parts: AuditEntry[] = [];
    let before: string | undefined;
    do {
      const page = await bus.audit.readPerson(owner, { limit: 5, ...(before === undefined ? {} : { before }) });
      parts.push(...page.entries);
      before = page.next;
      if (before !== undefined) expect(before).toMatch(AUDIT_CURSOR);
    } while (before !== undefined);
    expect(parts).toEqual(whole);
    expect((await bus.audit.readPerson({ tenant: 'acme', sub: newId('worker') }, { limit: 5 })).entries).toEqual([]);
  },
);

test('a session shows what was decided in it about rules of the person', async () => {
  const { bus } = fixture;
  const session = await TestSession.join(bus, fixture.redis);
  const decided = { sessionId: session.ref.sessionId, callId: 'call_1', toolName: 'write_file' };
  const holder = { scope: 'user', owner: session.ref.owner } as const;
  await bus.rules.keep(holder, { rule: '{"effect":"allow","tool":"write_file"}', by: 'ann', expiresAtMs: 0, decided });
  await bus.rules.keep(holder, { rule: '{"effect":"allow","tool":"delete_file"}', by: 'ann', expiresAtMs: 0 });
  const { entries } = await bus.audit.readSession(session.ref, { limit: 10 });
  expect(entries).toMatchObject([{ outcome: 'rule_created', ...decided }]);
});

test('a trail is bounded: the oldest rows go', async () => {
  const session = await fixture.session();
  await session.say('go');
  await session.take();
  const row = { outcome: 'allowed', by: 'policy' } as const;
  for (let round = 0; round < 11; round += 1) await session.commit({ audit: Array.from({ length: 100 }, () => row) });
  expect(await fixture.redis.client.xlen(`cl:{${session.ref.sid}}:audit`)).toBe(1_000);
});
