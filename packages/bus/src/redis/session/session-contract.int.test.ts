import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CallChange, CallRecord } from '@codelab/protocol';
import { SimulatedSession, verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { startCluster, type TestCluster } from '../../../test/start-cluster.js';
import { digest, TestSession } from '../../../test/test-session.js';
import type { StepEffects } from '../../session-store.js';
import { connectBus, type Bus } from '../create-bus.js';

const nat = fc.nat(20);
const happening = fc.oneof(
  fc.record({ kind: fc.constant('say' as const), whenBusy: fc.constantFrom('enqueue' as const, 'steer' as const, 'interrupt' as const) }),
  fc.record({ kind: fc.constant('settle' as const), pick: nat, refuses: fc.boolean() }),
  fc.record({
    ...{ kind: fc.constant('decide' as const), pick: nat },
    outcome: fc.constantFrom('approved' as const, 'edited' as const, 'rejected' as const, 'expired' as const),
  }),
  fc.constant({ kind: 'cancel' as const }),
  fc.record({
    ...{ kind: fc.constant('commit' as const), pick: nat, consumes: fc.integer({ min: 0, max: 3 }), knowsOfCancel: fc.boolean() },
    change: fc.constantFrom('none', 'open', 'ask', 'close', 'give_up', 'ask_again', 'reassign'),
    more: fc.constantFrom('nothing', 'history', 'model', 'end', 'end and requeue'),
  }),
);
type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;

/** One session in memory and one in Redis, to which the same happens. */
class Pair {
  private readonly names: string[] = [];
  private messages = 0;
  private steps = 0;

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
      case 'settle': {
        const callId = this.names[one.pick % Math.max(1, this.names.length)];
        if (callId === undefined) return;
        const answer = one.refuses ? { error: { code: 'PERMISSION_DENIED', message: '' } } : { result: {} };
        const frame = JSON.stringify({ type: 'tool_result', call_id: callId, ...answer });
        const seed = simulated.facts.executor === 'seed';
        const settled = await stored.settle(callId, { seed, frame, errorCode: answer.error?.code });
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
      case 'commit':
        return this.commit(one);
    }
  }

  private async commit({ pick, consumes, knowsOfCancel, change, more }: Extract<Happening, { kind: 'commit' }>): Promise<void> {
    const { simulated, stored } = this;
    const { turnId, records, inbox, inboxDone } = simulated;
    if (turnId === '') return;
    this.steps += 1;
    const inboxUpTo = Math.min(inboxDone + consumes, inbox.at(-1)?.id ?? inboxDone);
    const record = records[pick % Math.max(1, records.length)];
    const requeue = more === 'end and requeue' ? [{ messageId: 'again', turnId: 'turn_again', frame: '{"content":"again"}' }] : [];
    const effects: StepEffects = {
      ...{ inboxUpTo, state: '{}', frames: [], calls: this.changes(change, record) },
      history: more === 'history' ? ['{"role":"note"}'] : [],
      modelRequest: more === 'model' ? { ...stored.request(turnId), stepId: `step_${String(this.steps)}` } : undefined,
      endTurn: more.startsWith('end') ? { turnId, requeue } : undefined,
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
    if (kind === 'ask_again') return [{ kind, callId, frame: '{"again":1}', argsSha256: digest('c'), expiresAtMs: 0 }];
    if (kind === 'reassign') return record.state === 'answered' ? [] : [{ kind, callId, fence: record.fence + 1 }];
    return [{ kind: 'close', callId, synthetic: kind === 'give_up' }];
  }

  /** Everything that is promised of both. */
  async compare(): Promise<void> {
    const { simulated, stored } = this;
    const { meta, queue, calls } = (await stored.bus.store.read(stored.ref, { historyItems: 0 }))!;
    const inbox = await stored.bus.store.readInbox(stored.ref.sid, 0);
    const history = await stored.bus.store.readHistory(stored.ref, { from: 0, limit: 100 });
    const promised = ({ callId, state, argsSha256, fence, frame, result, decision, progress, givenTo }: CallRecord): object => ({
      ...{ callId, state, argsSha256, fence, frame, result, outcome: decision?.outcome, progress, givenTo },
    });
    expect({
      ...{ turnId: meta.turnId, cancelTurnId: meta.cancelTurnId, inboxDone: meta.inboxDone, state: meta.state },
      ...{ inbox, queue, calls: calls.map(promised), history: history.items },
    }).toEqual({
      ...{ turnId: simulated.turnId, cancelTurnId: simulated.cancelTurnId, inboxDone: simulated.inboxDone, state: simulated.state },
      ...{ inbox: simulated.inbox, queue: simulated.queue, calls: simulated.records.map(promised), history: simulated.history },
    });
  }
}

const sameAsSimulated = async (bus: () => Bus, numRuns: number): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(happening, { minLength: 1, maxLength: 20 }), async (seed, happenings) => {
      const stored = await TestSession.join(bus(), undefined, { seed });
      const pair = new Pair(new SimulatedSession({ executor: seed ? 'seed' : 'ide' }), stored);
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
    verifies('R3:one-contract', 'whatever is said, decided, answered, cancelled and committed in whatever order'),
    async () => {
      await sameAsSimulated(() => fixture.bus, 60);
    },
    60_000,
  );

  describe('on a cluster of three', () => {
    let cluster: TestCluster;
    let bus: Bus;
    beforeAll(async () => {
      cluster = await startCluster();
      bus = await connectBus({ url: cluster.url, signal: AbortSignal.timeout(20_000) });
    }, 40_000);
    afterAll(async () => {
      await bus?.close();
      await cluster?.close();
    });
    test(
      verifies('R3:one-contract', 'whatever is said, decided, answered, cancelled and committed in whatever order'),
      async () => {
        await sameAsSimulated(() => bus, 15);
      },
      60_000,
    );
  });
});
