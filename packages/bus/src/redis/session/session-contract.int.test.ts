import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { CallChange, CallRecord } from '@codelab/protocol';
import { SimulatedSession, toTestEnvelope, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { startCluster, type TestCluster } from '../../../test/start-cluster.js';
import { digest, TestSession } from '../../../test/test-session.js';
import type { LeaseFence, StepEffects } from '../../session-store.js';
import { connectBus, type Bus } from '../create-bus.js';

const nat = fc.nat(20);
const happening = fc.oneof(
  fc.record({ kind: fc.constant('say' as const), whenBusy: fc.constantFrom('enqueue' as const, 'steer' as const, 'interrupt' as const) }),
  fc.record({ kind: fc.constant('remove' as const), pick: nat }),
  fc.record({ kind: fc.constant('settle' as const), pick: nat, refuses: fc.boolean() }),
  fc.record({
    ...{ kind: fc.constant('decide' as const), pick: nat },
    outcome: fc.constantFrom('approved' as const, 'edited' as const, 'rejected' as const, 'expired' as const),
  }),
  fc.constant({ kind: 'cancel' as const }),
  fc.record({
    ...{ kind: fc.constant('join' as const), client: fc.constantFrom('ide', 'laptop', 'seed') },
    ...{ executes: fc.boolean(), succeeds: fc.boolean() },
  }),
  fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom('', 'ide', 'laptop') }),
  fc.record({ kind: fc.constant('give' as const), pick: nat, to: fc.constantFrom('ide', 'laptop', 'seed:1') }),
  fc.record({ kind: fc.constant('lease' as const), how: fc.constantFrom('take' as const, 'release' as const, 'renew' as const) }),
  fc.record({
    ...{ kind: fc.constant('commit' as const), pick: nat, consumes: fc.integer({ min: 0, max: 3 }), knowsOfCancel: fc.boolean() },
    change: fc.constantFrom('none', 'open', 'ask', 'close', 'give_up', 'ask_again', 'reassign'),
    more: fc.constantFrom('nothing', 'history', 'model', 'take', 'end', 'take and end'),
  }),
);
type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;

/** One session in memory and one in Redis, to which the same happens. */
class Pair {
  private readonly names: string[] = [];
  private messages = 0;
  private steps = 0;
  /** Whether the lease is held, by whoever took it last; and the one before it. */
  private isHeld = true;
  private lost: LeaseFence | undefined;

  constructor(
    readonly simulated: SimulatedSession,
    readonly stored: TestSession,
  ) {}

  async happen(one: Happening): Promise<void> {
    const { simulated, stored } = this;
    const { store } = stored.bus;
    switch (one.kind) {
      case 'say': {
        this.messages += 1;
        simulated.deliver({ content: 'c' }, one.whenBusy);
        await stored.say('c', one.whenBusy, `m${String(this.messages)}`, `t${String(this.messages)}`);
        return;
      }
      case 'remove': {
        const messageId = `m${String(1 + (one.pick % Math.max(1, this.messages)))}`;
        const removed = await store.removeQueued(stored.ref, messageId);
        expect(simulated.removeQueued(messageId)).toBe(removed.kind === 'removed');
        return;
      }
      case 'settle': {
        const callId = this.names[one.pick % Math.max(1, this.names.length)];
        if (callId === undefined) return;
        const answer = one.refuses ? { error: { code: 'PERMISSION_DENIED', message: '' } } : { result: {} };
        const frame = JSON.stringify({ type: 'tool_result', call_id: callId, ...answer });
        const clientId = simulated.answering(callId);
        const settled = await stored.settle(callId, { clientId, seed: clientId === '', frame, errorCode: answer.error?.code });
        expect(simulated.settle(callId, answer)).toBe(settled.kind === 'settled' ? settled.outcome : 'refused');
        return;
      }
      case 'decide': {
        const callId = this.names[one.pick % Math.max(1, this.names.length)];
        if (callId === undefined) return;
        const record = { outcome: one.outcome, argsSha256: digest('b'), by: 'ann', atMs: 1 };
        const decided = await store.decideCall(stored.ref, { callId, record, frame: '{"type":"approval_resolved"}' });
        expect(simulated.decide(callId, record)).toBe(decided.kind === 'decided');
        return;
      }
      case 'cancel':
        simulated.cancel();
        await store.requestCancel(stored.ref, { queue: false });
        return;
      case 'join': {
        const { client, executes } = one;
        const named = { clientId: client, tools: executes ? '["write_file"]' : undefined };
        const joining = { ...(client === 'seed' ? {} : named), succeeds: one.succeeds ? simulated.facts.executor || undefined : undefined };
        simulated.join(joining);
        await store.join(stored.ref, { ...joining, protocolVersion: '2.0' }, { create: false });
        return;
      }
      case 'move':
        simulated.moveExecutor(one.to);
        await store.moveExecutor(stored.ref, one.to);
        return;
      case 'give': {
        const record = simulated.records[one.pick % Math.max(1, simulated.records.length)];
        if (record === undefined) return;
        const { callId, fence } = record;
        const isGiven = await store.giveCall(stored.ref, { callId, fence, to: one.to });
        expect(simulated.give(callId, fence, one.to)).toBe(isGiven);
        return;
      }
      case 'lease':
        return this.lease(one.how);
      case 'commit':
        return this.commit(one);
    }
  }

  /** What the store alone has: one holder at a time, whose numbers grow (R1). */
  private async lease(how: 'take' | 'release' | 'renew'): Promise<void> {
    const { simulated, stored } = this;
    const { store } = stored.bus;
    const { sid } = stored.ref;
    if (how === 'take') {
      const before = stored.leaseFence;
      const taken = await store.takeLease(sid, 'another');
      expect((taken?.leaseFence ?? 0) > before).toBe(!this.isHeld);
      if (taken !== undefined) [this.lost, this.isHeld, stored.lease] = [before, true, taken];
    } else if (how === 'release') {
      const isLetGo = (await store.releaseLease(sid, stored.leaseFence, {})) === 'released';
      expect(isLetGo).toBe(simulated.inbox.length === 0);
      this.isHeld &&= !isLetGo;
    } else if (this.isHeld) {
      expect(await store.renewLeases([{ sid, leaseFence: stored.leaseFence }])).toEqual([]);
    }
    if (this.lost === undefined) return;
    expect(await store.renewLeases([{ sid, leaseFence: this.lost }])).toEqual([sid]);
    const step: StepEffects = { inboxUpTo: 0, state: '', frames: [], history: [], calls: [] };
    expect(await store.commit(stored.ref, { leaseFence: this.lost, cancelSeen: simulated.cancelTurnId }, step)).toBe('fenced');
  }

  private async commit({ pick, consumes, knowsOfCancel, change, more }: Extract<Happening, { kind: 'commit' }>): Promise<void> {
    const { simulated, stored } = this;
    const { turnId, records, inbox, inboxDone } = simulated;
    if (turnId === '') return;
    if (!this.isHeld) await this.lease('take');
    this.steps += 1;
    const inboxUpTo = Math.min(inboxDone + consumes, inbox.at(-1)?.id ?? inboxDone);
    const record = records[pick % Math.max(1, records.length)];
    // What a runtime can know of: all that was steered, and not that it was taken out since.
    const steered = inbox.flatMap((entry) => (entry.kind === 'message' && entry.steered ? [entry.messageId] : []));
    const effects: StepEffects = {
      ...{ inboxUpTo, state: '{}', calls: this.changes(change, record) },
      frames: more === 'history' ? [toTestEnvelope('{"type":"todos_updated"}')] : [],
      history: more === 'history' ? ['{"role":"note"}'] : [],
      modelRequest: more === 'model' ? { ...stored.request(turnId), stepId: `step_${String(this.steps)}` } : undefined,
      taken: more.startsWith('take') ? steered : undefined,
      endTurn: more.endsWith('end') ? { turnId } : undefined,
    };
    const cancelSeen = knowsOfCancel ? simulated.cancelTurnId : '';
    const committed = await stored.commit(effects, cancelSeen);
    const expected = simulated.commit(cancelSeen, effects);
    expect(typeof committed === 'string' ? committed : 'committed').toBe(typeof expected === 'string' ? expected : 'committed');
    if (typeof expected !== 'string') this.names.push(...effects.calls.flatMap((done) => (done.kind === 'open' ? [done.call.callId] : [])));
  }

  private changes(kind: string, record: CallRecord | undefined): CallChange[] {
    if (kind === 'open' || kind === 'ask') {
      const callId = `call_${String(this.steps)}`;
      const head = { callId, toolName: 'write_file', idempotency: 'unsafe', deadlineMs: 60_000, frame: `{"call_id":"${callId}"}` } as const;
      return [
        {
          kind: 'open',
          call: { ...head, state: kind === 'ask' ? 'waiting_approval' : 'ready', argsSha256: digest('a'), fence: 1, expiresAtMs: 0 },
        },
      ];
    }
    if (kind === 'none' || record === undefined) return [];
    const { callId } = record;
    if (kind === 'ask_again') return [{ kind, callId, frame: '{"again":1}', argsSha256: digest('c'), question: 2, expiresAtMs: 0 }];
    if (kind === 'reassign') return record.state === 'answered' ? [] : [{ kind, callId, fence: record.fence + 1 }];
    return [{ kind: 'close', callId, synthetic: kind === 'give_up' }];
  }

  /** Everything that is promised of both. */
  async compare(): Promise<void> {
    const { simulated, stored } = this;
    const { meta, queue, steering, calls } = (await stored.bus.store.read(stored.ref, { historyItems: 0 }))!;
    const inbox = await stored.bus.store.readInbox(stored.ref.sid, 0);
    const history = await stored.bus.store.readHistory(stored.ref, { from: 0, limit: 100 });
    const replay = await stored.bus.store.replay(stored.ref, { epoch: meta.epoch, seq: 0 });
    const log = replay.kind === 'frames' ? replay.frames : [];
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: meta.seq }, (_, place) => place + 1)); // without a gap (G3)
    const written = log.map(({ head }) => head.type).filter((type) => type === 'todos_updated' || type === 'approval_resolved');
    const promised = ({ callId, state, argsSha256, fence, frame, result, decision, progress, givenTo }: CallRecord): object => ({
      ...{ callId, state, argsSha256, fence, frame, result, outcome: decision?.outcome, progress, givenTo },
    });
    expect({
      ...{ turnId: meta.turnId, cancelTurnId: meta.cancelTurnId, inboxDone: meta.inboxDone, state: meta.state },
      ...{ inbox, queue, steering, calls: calls.map(promised), history: history.items },
      ...{ executor: meta.executor, executorTools: meta.executorTools, written },
    }).toEqual({
      ...{ turnId: simulated.turnId, cancelTurnId: simulated.cancelTurnId, inboxDone: simulated.inboxDone, state: simulated.state },
      ...{
        inbox: simulated.inbox,
        queue: simulated.queue,
        steering: simulated.steering,
        calls: simulated.records.map(promised),
        history: simulated.history,
      },
      ...{ executor: simulated.facts.executor, executorTools: simulated.facts.executorTools },
      written: simulated.frames.map((frame) => (JSON.parse(frame) as { readonly type: string }).type),
    });
  }
}

const sameAsSimulated = async (bus: () => Bus, numRuns: number): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(happening, { minLength: 1, maxLength: 20 }), async (seed, happenings) => {
      const stored = await TestSession.join(bus(), undefined, { seed });
      const pair = new Pair(new SimulatedSession({ executor: seed ? 'seed' : 'ide', executorTools: seed ? '' : '["write_file"]' }), stored);
      await stored.take();
      for (const one of [{ kind: 'say', whenBusy: 'enqueue' } as const, ...happenings]) {
        await pair.happen(one);
        await pair.compare();
      }
    }),
    { numRuns },
  );
};

const fixture = useBus();

describe('the session of the property tests does what the store does', () => {
  test(
    verifies(
      'R3:one-contract',
      'whatever is said, decided, answered, cancelled and committed in whatever order, by whomever joins or takes the lease',
    ),
    async () => {
      await sameAsSimulated(() => fixture.bus, 60);
    },
  );

  describe('on a cluster of three', () => {
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
    test(
      verifies(
        'R3:one-contract',
        'whatever is said, decided, answered, cancelled and committed in whatever order, by whomever joins or takes the lease',
      ),
      async () => {
        await sameAsSimulated(() => bus, 15);
      },
    );
  });
});
