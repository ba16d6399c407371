import { expect, test } from 'vitest';
import fc from 'fast-check';
import { changeCall, type CallEvent, type CallSession, type StoredCall } from '@codelab/protocol';
import { verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { digest, type TestSession } from '../../../test/test-session.js';

const fixture = useBus();
const FAR_MS = 9_000_000_000_000;

const client = fc.constantFrom('', 'ide', 'laptop');
const fence = fc.integer({ min: 1, max: 3 });
const argsSha256 = fc.constantFrom(digest('a'), digest('b'));
const expiresAtMs = fc.constantFrom(0, 1, FAR_MS);
const question = fc.integer({ min: 1, max: 3 });
const outcome = fc.constantFrom('approved' as const, 'edited' as const, 'rejected' as const, 'expired' as const);
const event: fc.Arbitrary<CallEvent | { readonly kind: 'ask_model' }> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('decide' as const), outcome, argsSha256 },
    decidedOn: fc.option(argsSha256, { nil: undefined }),
    question: fc.option(question, { nil: undefined }),
  }),
  fc.record({
    ...{ kind: fc.constant('settle' as const), clientId: client, fence: fc.option(fence, { nil: undefined }) },
    previewFailed: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('ask_again' as const), argsSha256, question, expiresAtMs }),
  fc.record({ kind: fc.constant('reassign' as const), fence }),
  fc.record({ kind: fc.constant('close' as const), synthetic: fc.boolean() }),
  fc.record({ kind: fc.constant('give' as const), to: fc.constantFrom('ide', 'laptop', 'seed:1', 'seed:2'), fence }),
  fc.record({
    ...{ kind: fc.constant('acknowledge' as const), clientId: client, fence },
    evidence: fc.constantFrom('received' as const, 'started' as const),
  }),
  fc.record({ kind: fc.constant('preview' as const), clientId: client }),
  fc.constant({ kind: 'ask_model' as const }),
);
const story = fc.record({
  executor: fc.constantFrom('ide', 'seed'),
  serverSideDecisions: fc.boolean(),
  idempotency: fc.constantFrom('safe' as const, 'unsafe' as const),
  state: fc.constantFrom('waiting_approval' as const, 'ready' as const),
  expiresAtMs,
  events: fc.array(event, { minLength: 1, maxLength: 12 }),
});

/** What the store says to an event: what changed, or why nothing did, in the words of the table. */
const happen = async (session: TestSession, callId: string, event: CallEvent): Promise<string> => {
  const { store } = fixture.bus;
  const change = async (more: object): Promise<string> => {
    const entries = await store.readInbox(session.ref.sid, 0);
    const inboxUpTo = entries.at(-1)?.id ?? (await store.readMeta(session.ref))!.inboxDone;
    const calls = [{ ...event, ...more, callId } as never];
    expect(await session.commit({ inboxUpTo, calls })).toMatchObject({ seq: expect.any(Number) });
    return 'changed, if it could be';
  };
  const orNotOpen = (happened: boolean): string => (happened ? 'changed' : 'NOT_OPEN');
  switch (event.kind) {
    case 'settle': {
      const settled = await session.settle(callId, { seed: event.clientId === '', ...event });
      if (settled.kind === 'refused') return settled.code;
      return settled.outcome === 'accepted' ? 'changed' : settled.outcome.toUpperCase();
    }
    case 'decide': {
      const { outcome: decision, decidedOn, argsSha256: digestToRun, question: number } = event;
      const decided = await session.decide(callId, decision as 'approved', { decidedOn, question: number, argsSha256: digestToRun });
      return decided.kind === 'refused' ? decided.code : 'changed';
    }
    case 'give':
      return orNotOpen(await store.giveCall(session.ref, { callId, fence: event.fence, to: event.to }));
    case 'acknowledge': {
      const { clientId, evidence: state } = event;
      return orNotOpen(await store.acknowledge(session.ref, { callId, clientId, fence: event.fence, state }));
    }
    case 'preview':
      return orNotOpen(await store.showPreview(session.ref, { callId, clientId: event.clientId, frame: '{"type":"approval_updated"}' }));
    case 'ask_again':
      return change({ frame: '{"type":"tool_call"}' });
    default:
      return change({});
  }
};

const OVER: ReadonlySet<string> = new Set(['closed', 'synthetic', 'foreign']);

/** What of a call is kept: when it is over, its state and its assignments. */
const kept = ({ state, fence, givenTo, givenBefore, argsSha256, question: number, expiresAtMs, progress }: StoredCall): object => {
  const always = { state, fence, givenTo, givenBefore };
  return OVER.has(state) ? always : { ...always, argsSha256, question: number, expiresAtMs, progress };
};

const readStored = async (session: TestSession, callId: string): Promise<StoredCall> => {
  const fields = await fixture.redis.client.hgetall(`cl:{${session.ref.sid}}:calls`);
  const text = (name: string): string => fields[`${callId}:${name}`] ?? '';
  return {
    ...{
      state: text('state') as StoredCall['state'],
      fence: Number(text('fence')),
      givenTo: text('given_to'),
      givenBefore: text('given_before'),
    },
    ...{ argsSha256: text('args_sha256'), question: Number(text('question') || 1) },
    ...{ expiresAtMs: Number(text('expires_at')), progress: text('progress') as StoredCall['progress'] },
    ...{ idempotency: 'unsafe', isUnseen: false },
  };
};

test(
  verifies('R2:one-lifecycle', 'whatever happens to a call in whatever order, the scripts do what the table of the protocol says'),
  async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ executor, serverSideDecisions, idempotency, state, expiresAtMs, events }) => {
        const session = await fixture.session({ seed: executor === 'seed' });
        await fixture.bus.store.patch(session.ref, { serverSideDecisions });
        const callId = await session.openCall({ state, idempotency, expiresAtMs });
        const circumstances: CallSession = { executor, serverSideDecisions, nowMs: 2 };
        const opened = { state, fence: 1, givenTo: '', idempotency, argsSha256: digest('a'), expiresAtMs };
        const first = changeCall(undefined, { kind: 'open', call: opened }, circumstances);
        let model = first.ok ? first.call : undefined;
        for (const next of events) {
          if (next.kind === 'ask_model') {
            await session.commit({ modelRequest: session.request('turn') });
            if (model !== undefined) model = { ...model, isUnseen: false };
            continue;
          }
          const step = changeCall(model, next, circumstances);
          const wasSeen = next.kind === 'settle' && model?.state === 'synthetic' && !model.isUnseen;
          const said = await happen(session, callId, next);
          if (said !== 'changed, if it could be') expect(said).toBe(step.ok ? (wasSeen ? 'DUPLICATE' : 'changed') : step.code);
          if (step.ok) model = step.call;
          expect(kept(await readStored(session, callId))).toEqual(kept(model!));
        }
      }),
      { numRuns: 60 },
    );
  },
);
