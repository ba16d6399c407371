import { expect, test } from 'vitest';
import { LIMITS } from '../__fixtures__/scene.js';
import { decideNextStep } from './decide-next-step.js';
import { refusedCall } from '../calls/open-call.js';
import { syntheticResult } from '../calls/call-result.js';
import type { Call, Phase, Turn } from './turn-state.js';

const TURN: Turn = {
  ...{ turnId: 't', messageIds: ['m'], model: 'm', agent: 'coder', startedAtMs: 0, rounds: 1, failures: 0 },
  ...{
    usage: { inputTokens: 0, outputTokens: 0 },
    activeMs: 0,
    vocabulary: 'codelab',
    phase: { kind: 'starting' },
    phaseSinceMs: 0,
    steered: [],
    recent: [],
  },
};
const settled: Call = refusedCall('call_1', 'read_file', syntheticResult('CANCELLED', ''));
const open = {
  ...{
    toolName: 'read_file',
    idempotency: 'safe' as const,
    deadlineMs: 0,
    human: false,
    argsSha256: '',
    fence: 1,
    asked: false,
    askedAnew: 0,
    frame: '',
  },
} as const;
const ready: Call = { ...open, callId: 'call_2', state: 'ready', readyAtMs: 0, checkAtMs: 0, givenAtMs: 0, stoppedAtMs: 0 };
const asked: Call = { ...open, callId: 'call_3', state: 'waiting_approval', expiresAtMs: 0 };
const asking: Phase = {
  kind: 'asking',
  step: { stepId: 's', messageId: 'm', attempt: 0, shown: 0, begun: {}, text: '', flushedAtMs: 0 },
};
const calling = (...calls: Call[]): Phase => ({
  kind: 'calling',
  calls,
  uses: calls.map(({ callId }) => ({ useId: callId, callIds: [callId] })),
});
const retrying: Phase = { kind: 'retrying', atMs: 100, message: { messageId: 'm' } };
const failed: Phase = { kind: 'failed', error: { code: 'TURN_FAILED', message: 'why' } };

test.each<[name: string, turn: Partial<Turn>, nowMs: number, expected: string]>([
  ['a new turn asks', { phase: { kind: 'starting' } }, 0, 'ask_model'],
  ['a request that is out is waited for', { phase: asking }, 9e9, 'wait'],
  ['a repeat waits for its time', { phase: retrying }, 99, 'wait'],
  ['a repeat asks at its time', { phase: retrying }, 100, 'ask_model'],
  ['a repeat is no new round', { phase: retrying, rounds: 50 }, 100, 'ask_model'],
  ['one open call is waited for', { phase: calling(settled, ready) }, 9e9, 'wait'],
  ['one undecided call is waited for', { phase: calling(settled, asked) }, 9e9, 'wait'],
  ['settled calls go to the model', { phase: calling(settled, settled) }, 0, 'ask_model'],
  ['an answer ends the turn', { phase: { kind: 'answered' } }, 0, 'completed'],
  ['a failure ends the turn', { phase: failed }, 0, 'failed'],
  ['the last round ends the turn', { phase: calling(settled), rounds: 50 }, 0, 'failed'],
  ['a turn out of time ends', { phase: calling(settled), activeMs: 1_800_000 }, 0, 'failed'],
  ['a cancel ends a turn that waits for the model', { phase: asking, cancelledAtMs: 1 }, 0, 'cancelled'],
  ['a cancel ends a turn that waits to ask again', { phase: retrying, cancelledAtMs: 1 }, 0, 'cancelled'],
  ['a cancel waits for calls that are being stopped', { phase: calling(settled, ready), cancelledAtMs: 1 }, 9e9, 'wait'],
  ['a cancel ends a turn whose calls are settled', { phase: calling(settled), cancelledAtMs: 1 }, 0, 'cancelled'],
])('%s', (_, changes, nowMs, expected) => {
  const next = decideNextStep({ ...TURN, ...changes }, LIMITS, nowMs);
  expect(next.kind === 'end' ? next.status : next.kind).toBe(expected);
});
