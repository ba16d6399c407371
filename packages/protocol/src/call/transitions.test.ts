import { expect, test } from 'vitest';
import fc from 'fast-check';
import { STORED_CALL_STATES, type StoredCallState } from './call.js';
import { CALL_EVENTS, CALL_TRANSITIONS, changeCall, type CallEvent, type StoredCall } from './transitions.js';

const CLIENTS = ['', 'ide', 'laptop'];
const NAMES = ['ide', 'laptop', 'seed:1', 'seed:2'];
const DIGESTS = ['a', 'b'];
const client = fc.constantFrom(...CLIENTS);
const fence = fc.integer({ min: 1, max: 3 });
const argsSha256 = fc.constantFrom(...DIGESTS);
const expiresAtMs = fc.constantFrom(0, 5);
const question = fc.integer({ min: 1, max: 3 });

const event: fc.Arbitrary<CallEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('decide' as const),
    outcome: fc.constantFrom('approved' as const, 'edited' as const, 'rejected' as const, 'expired' as const, 'cancelled' as const),
    decidedOn: fc.option(argsSha256, { nil: undefined }),
    question: fc.option(question, { nil: undefined }),
    argsSha256,
  }),
  fc.record({
    ...{ kind: fc.constant('settle' as const), clientId: client, fence: fc.option(fence, { nil: undefined }) },
    previewFailed: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('ask_again' as const), argsSha256, question, expiresAtMs }),
  fc.record({ kind: fc.constant('reassign' as const), fence }),
  fc.record({ kind: fc.constant('close' as const), synthetic: fc.boolean() }),
  fc.record({ kind: fc.constant('give' as const), to: fc.constantFrom(...NAMES), fence }),
  fc.record({
    kind: fc.constant('acknowledge' as const),
    clientId: client,
    fence,
    evidence: fc.constantFrom('received' as const, 'started' as const),
  }),
  fc.record({ kind: fc.constant('preview' as const), clientId: client }),
  fc.constant({ kind: 'journal' as const }),
);
const opening = fc.record({
  state: fc.constantFrom('waiting_approval' as const, 'ready' as const),
  ...{ fence: fc.constant(1), givenTo: fc.constantFrom('', 'server'), idempotency: fc.constantFrom('safe' as const, 'unsafe' as const) },
  ...{ argsSha256, expiresAtMs },
});
const session = fc.record({ executor: fc.constantFrom('', 'seed', 'ide'), serverSideDecisions: fc.boolean(), nowMs: fc.nat(10) });

const OVER: ReadonlySet<StoredCallState> = new Set(['closed', 'synthetic', 'foreign']);
const STATES: readonly string[] = STORED_CALL_STATES;

test('the table has a word for every state and every event', () => {
  expect(Object.keys(CALL_TRANSITIONS).sort()).toEqual([...STORED_CALL_STATES, 'absent'].sort());
  for (const row of Object.values(CALL_TRANSITIONS)) expect(Object.keys(row).sort()).toEqual([...CALL_EVENTS].sort());
});

test('whatever happens in whatever order, a call goes only where the table lets it', () => {
  fc.assert(
    fc.property(opening, session, fc.array(event, { maxLength: 30 }), (call, circumstances, events) => {
      const opened = changeCall(undefined, { kind: 'open', call }, circumstances);
      let now: StoredCall | undefined = opened.ok ? opened.call : undefined;
      let [results, approvals, questions] = [0, 0, call.state === 'waiting_approval' ? 1 : 0];
      for (const next of events) {
        const before = now!;
        const step = changeCall(before, next, circumstances);
        const allowed: readonly string[] = Object.values(CALL_TRANSITIONS[before.state]);
        if (!step.ok) continue;
        now = step.call;
        expect(STATES).toContain(now.state);
        expect(allowed).toContain(now.state);
        if (OVER.has(before.state)) expect(OVER).toContain(now.state); // what is over stays over
        if (next.kind === 'ask_again') questions += 1;
        if (next.kind === 'decide') {
          approvals += 1;
          expect(next.question ?? before.question).toBe(before.question); // H2
        }
        if (next.kind === 'settle' && before.state !== 'synthetic') results += 1;
        if (before.state === 'waiting_approval' && now.state === 'ready') expect(next.kind).toBe('decide'); // H3
        if (before.progress === 'started' && next.kind === 'acknowledge') expect(now.progress).toBe('started');
      }
      expect(results).toBeLessThanOrEqual(1 + questions); // R2
      expect(approvals).toBeLessThanOrEqual(questions); // H3
    }),
    { numRuns: 2_000 },
  );
});

test('a call that was refused takes no result, neither before nor after it is closed', () => {
  const circumstances = { executor: 'seed', serverSideDecisions: false, nowMs: 0 };
  const asked = { state: 'waiting_approval', fence: 1, givenTo: '', idempotency: 'unsafe', argsSha256: 'a', expiresAtMs: 0 } as const;
  let call: StoredCall | undefined;
  for (const next of [
    { kind: 'open', call: asked },
    { kind: 'decide', outcome: 'rejected', argsSha256: 'a' },
    { kind: 'close', synthetic: true },
  ] as const) {
    const step = changeCall(call, next, circumstances);
    if (step.ok) call = step.call;
    if (next.kind !== 'open')
      expect(changeCall(call, { kind: 'settle', clientId: '' }, circumstances)).toEqual({ ok: false, code: 'DUPLICATE' });
  }
});
