import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { digest } from '../../../test/test-session.js';
import { useBus } from '../../../test/bus-fixture.js';

const fixture = useBus();
const accepted = { kind: 'settled', outcome: 'accepted' };
const duplicate = { kind: 'settled', outcome: 'duplicate' };
const stale = { kind: 'settled', outcome: 'stale' };
const refused = (code: string) => ({ kind: 'refused', code });

describe('a result', () => {
  test(verifies('R2:settle-once', 'the first result of a call is accepted, a second one is a duplicate and changes nothing'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall();
    expect(await session.settle(callId, { frame: '{"first":1}' })).toEqual(accepted);
    const before = await session.dump();
    expect(await session.settle(callId, { frame: '{"second":2}' })).toEqual(duplicate);
    expect(await session.dump()).toEqual(before);
    const [call] = await fixture.bus.store.readCalls(session.ref.sid);
    expect(call).toMatchObject({ state: 'answered', result: '{"first":1}' });
    const inbox = await fixture.bus.store.readInbox(session.ref.sid, 1);
    expect(inbox).toEqual([{ id: 2, kind: 'result', callId, frame: '{"first":1}', local: false }]);
  });

  test(verifies('R2:settle-twice-at-once', 'of results that come through two gateways at once one is accepted'), async () => {
    const other = await fixture.another();
    const session = await fixture.session();
    const callId = await session.openCall();
    const result = { callId, clientId: 'ide', frame: '{}' };
    const stores = [fixture.bus.store, other.store, fixture.bus.store, other.store];
    const outcomes = await Promise.all(stores.map((store) => store.settleCall(session.ref, result)));
    expect(outcomes.filter((outcome) => outcome.kind === 'settled' && outcome.outcome === 'accepted')).toHaveLength(1);
    expect(await fixture.bus.store.readInbox(session.ref.sid, 1)).toHaveLength(1);
  });

  test(verifies('R2:settle-who', 'only who answers for the call may answer it'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall();
    expect(await session.settle('call_nobody')).toEqual(refused('UNKNOWN_CALL'));
    expect(await session.settle(callId, { clientId: 'other' })).toEqual(refused('FORBIDDEN'));
    expect(await session.settle(callId, { seed: true })).toEqual(refused('FORBIDDEN'));
    expect(await session.settle(callId, { fence: 1 })).toEqual(accepted);
  });

  test(verifies('H3:result-is-no-decision', 'a client that said hello cannot answer an undecided call'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval' });
    const before = await session.dump();
    expect(await session.settle(callId)).toEqual(refused('FORBIDDEN'));
    expect(await session.dump()).toEqual(before);
  });

  test(
    verifies('H3:preview-failed', 'its error of a preview takes the question back, once, and everybody and the audit trail are told'),
    async () => {
      const session = await fixture.session();
      const callId = await session.openCall({ state: 'waiting_approval', target: 'a.txt' });
      const error = { errorCode: 'FILE_NOT_FOUND', frame: '{"error":{"code":"FILE_NOT_FOUND","message":"no"}}', previewFailed: true };
      expect(await session.settle(callId, { ...error, clientId: 'other' })).toEqual(refused('FORBIDDEN'));
      expect(await session.settle(callId, error)).toEqual(accepted);
      expect(await session.settle(callId, error)).toEqual(duplicate);
      expect(await session.decide(callId, 'approved')).toEqual(refused('ALREADY_RESOLVED'));
      expect((await session.log()).at(-1)).toContain('"type":"approval_resolved"');
      expect((await session.log()).at(-1)).toContain('"outcome":"cancelled"');
      expect((await session.log()).at(-1)).toContain('"error":{"code":"FILE_NOT_FOUND","message":"no"}');
      const inbox = await fixture.bus.store.readInbox(session.ref.sid, 1);
      expect(inbox).toEqual([{ id: 2, kind: 'result', callId, frame: error.frame, local: false, unasked: true }]);
      const { entries } = await fixture.bus.audit.readSession(session.ref, { limit: 1 });
      expect(entries).toMatchObject([
        {
          ...{ callId, outcome: 'cancelled', by: 'executor', target: 'a.txt' },
          reason: 'nobody was asked: its preview fails; FILE_NOT_FOUND',
        },
      ]);
    },
  );

  test('a rule settles a question in a commit, once, and not against a human who was faster', async () => {
    const session = await fixture.session();
    const [first, second] = [await session.openCall({ state: 'waiting_approval' }), await session.openCall({ state: 'waiting_approval' })];
    await fixture.bus.store.reviewQuestions(session.ref);
    expect(await fixture.bus.store.readInbox(session.ref.sid, 1)).toEqual([{ id: 2, kind: 'rules' }]);
    const approve = (callId: string) => {
      const decision = { outcome: 'approved', argsSha256: digest('a'), by: 'policy', atMs: 1 } as const;
      return session.commit({ inboxUpTo: 2, calls: [{ kind: 'approve', callId, decision }] });
    };
    expect(await approve(first)).toMatchObject({ seq: expect.any(Number) });
    expect(await session.decide(first, 'rejected')).toEqual(refused('ALREADY_RESOLVED'));
    expect(await fixture.bus.store.readCalls(session.ref.sid)).toMatchObject([{ state: 'ready', decision: { by: 'policy' } }, {}]);
    expect((await session.decide(second, 'rejected')).kind).toBe('decided');
    expect(await approve(second)).toBe('cancelled');
    expect(await session.settle(first)).toEqual(accepted);
    const before = await session.dump();
    await fixture.bus.store.reviewQuestions(session.ref);
    expect(await session.dump()).toEqual(before); // nothing waits
  });

  test(
    verifies('H3:seed-decides-locally', 'a seed client that answers an undecided call has decided it, and everybody is told'),
    async () => {
      const session = await fixture.session({ seed: true });
      const [approved, rejected] = [
        await session.openCall({ state: 'waiting_approval' }),
        await session.openCall({ state: 'waiting_approval' }),
      ];
      expect(await session.settle(approved, { seed: true })).toEqual(accepted);
      expect(await session.settle(rejected, { seed: true, errorCode: 'PERMISSION_DENIED' })).toEqual(accepted);
      const calls = await fixture.bus.store.readCalls(session.ref.sid);
      expect(calls.map(({ decision }) => [decision?.outcome, decision?.by, decision?.argsSha256])).toEqual([
        ['approved', 'executor', digest('a')],
        ['rejected', 'executor', digest('a')],
      ]);
      const frames = (await session.log(2)).map((text) => JSON.parse(text) as Record<string, unknown>);
      expect(frames).toMatchObject([
        { seq: 3, type: 'approval_resolved', call_id: approved, outcome: 'approved', by: 'executor', args_sha256: digest('a') },
        { seq: 4, type: 'approval_resolved', call_id: rejected, outcome: 'rejected' },
      ]);
      expect(await fixture.bus.store.readInbox(session.ref.sid, 1)).toMatchObject([{ local: true }, { local: true }]);
    },
  );

  test(verifies('H3:server-side-decisions', 'a session can demand decisions of seed clients too'), async () => {
    const session = await fixture.session({ seed: true });
    const callId = await session.openCall({ state: 'waiting_approval' });
    await fixture.bus.store.patch(session.ref, { serverSideDecisions: true });
    expect(await session.settle(callId, { seed: true })).toEqual(refused('FORBIDDEN'));
  });

  test(verifies('R2:fence', 'an old assignment counts until the new executor was given the call, then it is stale'), async () => {
    const session = await fixture.session();
    const [first, second] = [await session.openCall(), await session.openCall()];
    for (const callId of [first, second]) await fixture.bus.store.giveCall(session.ref, { callId, fence: 1, to: 'ide' });
    await fixture.bus.store.moveExecutor(session.ref, 'laptop');
    await session.commit({
      calls: [first, second].map((callId) => ({ kind: 'reassign' as const, callId, fence: 2 })),
    });
    expect(await fixture.bus.store.giveCall(session.ref, { callId: second, fence: 2, to: 'laptop' })).toBe(true);
    expect(await session.settle(first, { fence: 1 })).toEqual(accepted);
    expect(await session.settle(second, { fence: 1 })).toEqual(stale);
    expect(await session.settle(second, { fence: 1, clientId: 'stranger' })).toEqual(stale);
    expect(await session.settle(second, { fence: 2, clientId: 'laptop' })).toEqual(accepted);
  });

  test(
    verifies('R2:late-result', 'a true result replaces a synthetic one that no model has seen, once; later it is a duplicate and a note'),
    async () => {
      const session = await fixture.session();
      const [unseen, seen] = [await session.openCall(), await session.openCall()];
      await session.commit({ calls: [{ kind: 'close', callId: seen, synthetic: true }] });
      await session.commit({ modelRequest: session.request('turn') });
      await session.commit({ calls: [{ kind: 'close', callId: unseen, synthetic: true }] });
      expect(await session.settle(unseen, { frame: '{"late":1}' })).toEqual(accepted);
      expect(await session.settle(unseen)).toEqual(duplicate);
      expect(await session.settle(seen, { frame: '{"late":2}' })).toEqual(duplicate);
      expect(await session.settle(seen)).toEqual(duplicate);
      expect(await fixture.bus.store.readInbox(session.ref.sid, 1)).toEqual([
        { id: 2, kind: 'late_result', callId: unseen, frame: '{"late":1}', replaces: true },
        { id: 3, kind: 'late_result', callId: seen, frame: '{"late":2}', replaces: false },
      ]);
    },
  );

  test(verifies('H1:no-result-after-no', 'a call that was rejected takes no result, neither before nor after it is closed'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval' });
    await session.decide(callId, 'rejected');
    expect(await session.settle(callId)).toEqual(duplicate);
    await session.commit({ inboxUpTo: 2, calls: [{ kind: 'close', callId, synthetic: true }] });
    expect(await session.settle(callId)).toEqual(duplicate);
    expect(await fixture.bus.store.readInbox(session.ref.sid, 2)).toEqual([]);
  });
});

describe('a decision', () => {
  test(verifies('H3:decide-once', 'of two gateways that decide a call one does, and the other is told that it is resolved'), async () => {
    const other = await fixture.another();
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval' });
    const decision = {
      callId,
      record: { outcome: 'approved', argsSha256: digest('a'), by: 'ann', atMs: 1 },
      frame: '{"type":"approval_resolved"}',
    } as const;
    const answers = await Promise.all([fixture.bus, other].map(({ store }) => store.decideCall(session.ref, decision)));
    const head = { type: 'approval_resolved', call_id: callId, outcome: 'approved' };
    expect(answers).toContainEqual({ kind: 'decided', frame: { seq: 2, head, text: '{"seq":2,"type":"approval_resolved"}' } });
    expect(answers).toContainEqual(refused('ALREADY_RESOLVED'));
    expect(await session.log(1)).toEqual(['{"seq":2,"type":"approval_resolved"}']);
    expect(await fixture.bus.store.readInbox(session.ref.sid, 1)).toMatchObject([
      { kind: 'decision', callId, decision: { outcome: 'approved' } },
    ]);
  });

  test(verifies('H2:decide-digest', 'a decision on other arguments decides nothing; an edited call runs with its new digest'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval' });
    const before = await session.dump();
    expect(await session.decide(callId, 'approved', { decidedOn: digest('b') })).toEqual(refused('DIGEST_MISMATCH'));
    expect(await session.dump()).toEqual(before);
    expect(await session.decide(callId, 'edited', { decidedOn: digest('a'), argsSha256: digest('e') })).toMatchObject({ kind: 'decided' });
    expect(await fixture.bus.store.readCalls(session.ref.sid)).toMatchObject([{ state: 'ready', argsSha256: digest('e') }]);
  });

  test(verifies('H2:decide-question', 'a decision on a question that was put anew meanwhile decides nothing'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval' });
    expect(await session.decide(callId, 'approved', { question: 1 })).toMatchObject({ kind: 'decided' });
    const again = { kind: 'ask_again', callId, frame: '{}', argsSha256: digest('a'), question: 2, expiresAtMs: 0 } as const;
    await session.commit({ inboxUpTo: 2, calls: [again] });
    const before = await session.dump();
    expect(await session.decide(callId, 'approved', { decidedOn: digest('a'), question: 1 })).toEqual(refused('DIGEST_MISMATCH'));
    expect(await session.dump()).toEqual(before);
    expect(await session.decide(callId, 'approved', { question: 2 })).toMatchObject({ kind: 'decided' });
  });

  test(verifies('H3:decide-withdrawn', 'a question of a turn that was cancelled is decided by nobody'), async () => {
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval' });
    await fixture.bus.store.requestCancel(session.ref, { queue: false });
    const before = await session.dump();
    expect(await session.decide(callId, 'approved')).toEqual(refused('ALREADY_RESOLVED'));
    expect(await session.dump()).toEqual(before);
  });

  test(verifies('H3:decide-refusals', 'unknown, expired and closed calls are told apart'), async () => {
    const session = await fixture.session();
    const [expired, closed] = [
      await session.openCall({ state: 'waiting_approval', expiresAtMs: 1 }),
      await session.openCall({ state: 'waiting_approval' }),
    ];
    await session.commit({ calls: [{ kind: 'close', callId: closed, synthetic: true }] });
    expect(await session.decide('call_nobody', 'approved')).toEqual(refused('UNKNOWN_CALL'));
    expect(await session.decide(expired, 'approved')).toEqual(refused('EXPIRED'));
    expect(await session.decide(expired, 'expired')).toMatchObject({ kind: 'decided' });
    expect(await session.decide(closed, 'approved')).toEqual(refused('ALREADY_RESOLVED'));
  });
});

describe('evidence', () => {
  test(verifies('R2:give-once', 'a call that was written to one is not written to another, but a safe one of a seed client'), async () => {
    const { bus } = fixture;
    const session = await fixture.session({ seed: true });
    const [safe, unsafe] = [await session.openCall({ idempotency: 'safe', args: '{"idempotency":"unsafe"}' }), await session.openCall()];
    for (const callId of [safe, unsafe]) expect(await bus.store.giveCall(session.ref, { callId, fence: 1, to: 'seed:1' })).toBe(true);
    expect(await bus.store.giveCall(session.ref, { callId: safe, fence: 1, to: 'seed:2' })).toBe(true);
    expect(await bus.store.giveCall(session.ref, { callId: unsafe, fence: 1, to: 'seed:2' })).toBe(false);
    expect(await bus.store.giveCall(session.ref, { callId: unsafe, fence: 1, to: 'seed:1' })).toBe(true);
    expect(await bus.store.giveCall(session.ref, { callId: unsafe, fence: 2, to: 'seed:1' })).toBe(false);
    expect(await session.settle(unsafe, { seed: true })).toEqual(accepted);
    expect(await bus.store.giveCall(session.ref, { callId: unsafe, fence: 1, to: 'seed:1' })).toBe(false);
  });

  test(
    verifies('R2:acknowledge', 'evidence comes from the executor only and never goes back; a started call is looked at when it is overdue'),
    async () => {
      const { bus, redis } = fixture;
      const session = await fixture.session();
      const callId = await session.openCall();
      const ack = (clientId: string, state: 'received' | 'started', fence = 1) =>
        bus.store.acknowledge(session.ref, { callId, clientId, fence, state });
      expect(await ack('other', 'started')).toBe(false);
      expect(await ack('ide', 'started', 2)).toBe(false);
      await redis.client.zrem((await redis.client.keys('*{due:*}'))[0] ?? '', session.ref.sid);
      expect(await ack('ide', 'started')).toBe(true);
      expect(await ack('ide', 'received')).toBe(true);
      const [call] = await bus.store.readCalls(session.ref.sid);
      expect(call).toMatchObject({ progress: 'started' });
      expect(Math.abs((call?.startedAtMs ?? 0) - Date.now())).toBeLessThan(60_000);
    },
  );

  test(verifies('H2:preview', 'a preview is stored and logged while the call is undecided, and only from its executor'), async () => {
    const { bus } = fixture;
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval' });
    const frame = '{"type":"approval_updated"}';
    expect(await bus.store.showPreview(session.ref, { callId, clientId: 'other', frame })).toBe(false);
    expect(await bus.store.showPreview(session.ref, { callId, clientId: 'ide', frame })).toBe(true);
    expect(await bus.store.readCalls(session.ref.sid)).toMatchObject([{ preview: frame }]);
    expect(await session.log(1)).toEqual(['{"seq":2,"type":"approval_updated"}']);
    await session.decide(callId, 'approved');
    expect(await bus.store.showPreview(session.ref, { callId, clientId: 'ide', frame })).toBe(false);
  });
});

describe('what waits in many sessions', () => {
  test(
    verifies('G4:inbox-cost', 'to find what waits for a decision costs what waits: of any other call no more than its state is read'),
    async () => {
      const { bus, redis } = fixture;
      const [busy, asking, idle] = [await fixture.session(), await fixture.session(), await fixture.session()];
      const args = JSON.stringify({ content: 'x'.repeat(50_000) });
      for (let count = 0; count < 10; count += 1) await busy.openCall({ args });
      await asking.openCall({ args });
      await asking.openCall({ state: 'waiting_approval', args: '{"content":"waits"}', expiresAtMs: 7_000_000_000_000, target: 'a.txt' });
      const sids = [busy, asking, idle].map(({ ref }) => ref.sid);
      const before = await sentBytes(redis.client);
      const found = await bus.store.readWaiting(sids);
      expect((await sentBytes(redis.client)) - before).toBeLessThan(20_000);
      const waiting = (await bus.store.readCalls(asking.ref.sid)).filter(({ state }) => state === 'waiting_approval');
      expect(waiting).toHaveLength(1);
      expect(found).toEqual([[], waiting, []]);
    },
  );

  test('calls of an older release are brought up to date, and found', async () => {
    const { bus, redis } = fixture;
    const session = await fixture.session();
    const callId = await session.openCall({ state: 'waiting_approval' });
    const [meta = '', calls = ''] = ['meta', 'calls'].map((name) => `cl:{${session.ref.sid}}:${name}`);
    await redis.client.hset(meta, 'schema', '1');
    await redis.client.hdel(calls, `${callId}:state`);
    await redis.client.hset(calls, `${callId}:s`, 'waiting_approval');
    const [found] = await bus.store.readWaiting([session.ref.sid]);
    expect(found).toEqual(await bus.store.readCalls(session.ref.sid));
  });
});

/** What Redis has written to all of its clients; the reply to this question counts with the next. */
const sentBytes = async (client: { info(section: string): Promise<string> }): Promise<number> =>
  Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))?.[1]);
