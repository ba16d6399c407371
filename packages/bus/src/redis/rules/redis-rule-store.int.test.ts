import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { newId } from '../../new-id.js';
import { MAX_RULES_OF_HOLDER, type NewRule, type RuleHolder } from '../../rule-store.js';
import { judgedFacts } from '../../session-records.js';
import { sessionRef, type Owner } from '../../session-ref.js';

const fixture = useBus();
const NOW = Date.now();
const person = (): Owner => ({ tenant: 'acme', sub: newId('worker') });
const allow = (path: string, more: Partial<NewRule> = {}): NewRule => ({
  rule: JSON.stringify({ effect: 'allow', tool: 'write_file', path }),
  by: 'ann',
  expiresAtMs: 0,
  ...more,
});
const user = (owner: Owner): RuleHolder => ({ scope: 'user', owner });

describe('a rule', () => {
  test(
    verifies('H1:rule-kept-once', 'is kept once, whoever says it again; it holds in every session of its person, and in no other'),
    async () => {
      const { rules } = fixture.bus;
      const owner = person();
      const [first, again] = [await rules.keep(user(owner), allow('a')), await rules.keep(user(owner), allow('a', { by: 'bob' }))];
      expect([first.kind, again.kind]).toEqual(['kept', 'known']);
      const [stored, ...others] = await rules.readFor(sessionRef(owner, 'any'));
      expect(others).toEqual([]);
      expect(stored).toMatchObject({ scope: 'user', rule: allow('a').rule, by: 'bob', expiresAtMs: 0, createdAtMs: expect.any(Number) });
      expect('ruleId' in first && first.ruleId).toBe(stored?.ruleId);
      expect(await rules.readFor(sessionRef(person(), 'any'))).toEqual([]);
      expect((await fixture.bus.audit.readPerson(owner, { limit: 10 })).entries).toMatchObject([
        { outcome: 'rule_created', by: 'ann', ruleId: stored?.ruleId },
      ]);
    },
  );

  test(verifies('H1:rule-scope', 'of a session holds there alone; one of a workspace names the id of that workspace'), async () => {
    const { rules } = fixture.bus;
    const [one, other] = [await fixture.session(), await fixture.session()];
    const { owner } = one.ref;
    await rules.keep({ scope: 'session', session: one.ref }, allow('s'));
    const [mine, theirs] = [await rules.readFor(one.ref), await rules.readFor(other.ref)];
    expect(mine).toMatchObject([{ scope: 'session', sessionId: one.ref.sessionId }]);
    expect(theirs).toEqual([]);
    const holder = { scope: 'project', owner, workspaceId: 'w"1\n' } as const;
    const project = await rules.keep(holder, allow('s'));
    expect(await rules.readFor(other.ref)).toMatchObject([{ scope: 'project', workspaceId: 'w"1\n' }]);
    expect(await rules.keep({ ...holder, workspaceId: 'w2' }, allow('s'))).toMatchObject({ kind: 'kept' });
    expect(await rules.list(owner, { scope: 'project' })).toHaveLength(2);
    expect(await rules.list(owner, { scope: 'session' })).toHaveLength(1);
    expect(await rules.list(owner, { session: other.ref })).toEqual([]);
    for (const { ruleId } of await rules.list(owner, {})) expect(await rules.revoke(owner, ruleId, 'ann')).toBe(1);
    expect(await rules.list(owner, {})).toEqual([]);
    expect(project.kind === 'kept' && (await rules.revoke(owner, project.ruleId, 'ann'))).toBe(0);
  });

  test(
    verifies('H1:rules-compared', 'that was made, said again or revoked since a step was judged makes its commit be refused'),
    async () => {
      const { rules, store } = fixture.bus;
      const session = await fixture.session();
      const { owner } = session.ref;
      await session.say('go');
      await session.take();
      const commit = (version: string | undefined): ReturnType<typeof store.commit> => {
        const judgedBy = { facts: judgedFacts(session.meta), rules: version === undefined ? undefined : { session: session.ref, version } };
        const effects = { inboxUpTo: 0, state: '', frames: [], history: [], calls: [] };
        return store.commit(session.ref, { leaseFence: session.leaseFence, cancelSeen: '', judgedBy }, effects);
      };
      const versionNow = async (): Promise<string | undefined> => (await rules.snapshot(session.ref)).version;
      const before = await versionNow();
      expect(await commit(before)).toMatchObject({ seq: expect.any(Number) });
      const changes = [
        () => rules.keep({ scope: 'session', session: session.ref }, allow('x')),
        () => rules.keep({ scope: 'session', session: session.ref }, allow('x')),
        () => rules.keep(user(owner), allow('y')),
        () => rules.keep({ scope: 'project', owner, workspaceId: 'w' }, allow('y')),
        ...[0, 1, 2].map(() => async () => rules.revoke(owner, (await rules.list(owner, {}))[0]!.ruleId, 'ann')),
      ];
      for (const change of changes) {
        const version = await versionNow();
        await change();
        expect(await commit(version)).toBe('outdated');
        expect(await commit(await versionNow())).toMatchObject({ seq: expect.any(Number) });
      }
      expect(await versionNow()).toBe(before);
      await rules.keep({ scope: 'session', session: session.ref }, allow('z', { expiresAtMs: NOW + 60_000 }));
      expect(await versionNow()).toBeUndefined(); // time ends it, and changes no version
    },
  );

  test(verifies('H1:facts-compared', 'of another moment than the settings and the executor make a commit be refused, too'), async () => {
    const { store } = fixture.bus;
    const session = await fixture.session();
    const { ref } = session;
    await session.say('go');
    await session.take();
    const facts = async (): Promise<string> => judgedFacts((await store.readMeta(ref))!);
    const commit = (judged: string): ReturnType<typeof store.commit> => {
      const effects = { inboxUpTo: 0, state: '', frames: [], history: [], calls: [] };
      return store.commit(ref, { leaseFence: session.leaseFence, cancelSeen: '', judgedBy: { facts: judged } }, effects);
    };
    const again = { clientId: 'ide', tools: '["write_file"]', protocolVersion: '2.0' };
    const changes = [
      ...[{ mode: 'strict' }, { model: 'm' }, { agent: 'ask' }, { clientGraceMs: 30_000 }, { clientGraceMs: 0 }].map(
        (settings) => () => store.patch(ref, settings),
      ),
      () => store.moveExecutor(ref, 'ide-2'),
      ...[
        { clientId: 'ide-2' },
        { tools: '["read_file"]' },
        { protocolVersion: '1.1' },
        { workspace: '{"name":"w"}' },
        { capabilities: 'x' },
      ].map((more) => () => store.join(ref, { ...again, clientId: 'ide-2', ...more }, { create: false })),
    ];
    for (const change of changes) {
      const before = await facts();
      expect(await commit(before)).toMatchObject({ seq: expect.any(Number) });
      await change();
      expect(await commit(before)).toBe('outdated');
    }
    await store.patch(ref, { title: 'no fact' });
    expect(await commit(await facts())).toMatchObject({ seq: expect.any(Number) });
  });

  test(verifies('H1:rule-revoked', 'that is revoked is gone for the next who reads, and only its person can revoke it'), async () => {
    const { rules, audit } = fixture.bus;
    const session = await fixture.session();
    const kept = await rules.keep({ scope: 'session', session: session.ref }, allow('x'));
    const ruleId = 'ruleId' in kept ? kept.ruleId : '';
    expect(await rules.revoke(person(), ruleId, 'eve')).toBe(0);
    expect(await rules.readFor(session.ref)).toHaveLength(1);
    expect(await rules.revoke(session.ref.owner, ruleId, 'ann')).toBe(1);
    expect(await rules.readFor(session.ref)).toEqual([]);
    const { entries } = await audit.readSession(session.ref, { limit: 10 });
    expect(entries.map(({ outcome, by, target }) => [outcome, by, target])).toEqual([
      ['rule_removed', 'ann', expect.stringMatching(/^allows /)],
      ['rule_created', 'ann', expect.stringMatching(/^allows /)],
    ]);
  });

  test('of a session expires and is removed with it, and there is none without a session', async () => {
    const { rules } = fixture.bus;
    const session = await fixture.session();
    const holder = { scope: 'session', session: session.ref } as const;
    await rules.keep(holder, allow('x'));
    const { client } = fixture.redis;
    const [meta, kept] = await Promise.all(['meta', 'rules'].map((noun) => client.pexpiretime(`cl:{${session.ref.sid}}:${noun}`)));
    expect(kept).toBe(meta);
    expect(kept).toBeGreaterThan(NOW);
    expect(await fixture.bus.store.remove(session.ref)).toBe(true);
    expect(await client.keys(`*${session.ref.sid}*`)).toEqual([]);
    expect(await rules.keep(holder, allow('x'))).toEqual({ kind: 'refused', code: 'SESSION_NOT_FOUND' });
    expect(await client.keys(`*${session.ref.sid}*`)).toEqual([]);
  });

  test(verifies('H1:rules-bounded', 'over the limit of its holder is refused; what has expired makes room'), async () => {
    const { rules } = fixture.bus;
    const owner = person();
    await rules.keep(user(owner), allow('over', { expiresAtMs: NOW - 1 }));
    expect(await rules.list(owner, {})).toEqual([]);
    for (let index = 0; index < MAX_RULES_OF_HOLDER; index += 1) {
      expect(await rules.keep(user(owner), allow(`f${String(index)}`, { expiresAtMs: NOW + 3_600_000 }))).toMatchObject({ kind: 'kept' });
    }
    expect(await rules.keep(user(owner), allow('one more'))).toEqual({ kind: 'refused', code: 'FULL' });
    expect(await rules.keep(user(owner), allow('f0', { expiresAtMs: NOW + 3_600_000 }))).toMatchObject({ kind: 'known' });
    expect(await rules.keep({ scope: 'project', owner, workspaceId: 'w' }, allow('one more'))).toMatchObject({ kind: 'kept' });
  });
});
