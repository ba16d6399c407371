import type { TurnStop } from '@codelab/protocol';
import { usedUp } from '../tasks/task-budget.js';
import { activeTimeOf } from './turn-times.js';
import type { RuntimeLimits } from './runtime-limits.js';
import { callsOf, isOpen, type Turn } from './turn-state.js';

/** What a turn does next. */
export type NextStep =
  /** Something outside has to happen first. */
  | { readonly kind: 'wait' }
  /** `lastWords`: nothing is run after it; what it has used up. */
  | { readonly kind: 'ask_model'; readonly lastWords?: string }
  | { readonly kind: 'end'; readonly status: 'completed' | 'cancelled'; readonly stop?: TurnStop }
  | {
      readonly kind: 'end';
      readonly status: 'failed';
      readonly error: { readonly code: 'TURN_FAILED' | 'QUOTA' | 'INTERNAL'; readonly message: string };
    };

const WAIT: NextStep = { kind: 'wait' };
const fail = (message: string): NextStep => ({ kind: 'end', status: 'failed', error: { code: 'TURN_FAILED', message } });

/** A request that may be made, or the limit that forbids it. A repeat is no new round. */
const askWithin = (turn: Turn, limits: RuntimeLimits, nowMs: number): NextStep => {
  const used = turn.lastWords ?? usedUp(turn, limits.budget ?? {});
  if (used !== undefined) return { kind: 'ask_model', lastWords: used };
  if (turn.phase.kind !== 'retrying' && turn.rounds >= limits.maxRounds) {
    return fail(`The turn has used its ${String(limits.maxRounds)} model requests. Send a message to let it go on.`);
  }
  if (turn.activeMs + activeTimeOf(turn, nowMs) >= limits.turnTimeoutMs) return fail(outOfTime(limits));
  return { kind: 'ask_model' };
};

const outOfTime = ({ turnTimeoutMs }: RuntimeLimits): string =>
  `The turn has worked for ${String(Math.round(turnTimeoutMs / 1_000))} seconds, which is its limit. Send a message to let it go on.`;

/** The end of a turn that has no time left, as a phase. */
export const timeOutTurn = (limits: RuntimeLimits): Turn['phase'] => ({
  kind: 'failed',
  error: { code: 'TURN_FAILED', message: outOfTime(limits) },
});

/**
 * What a turn does next, as its state says (R3). Decides and does nothing. A cancelled turn waits only for calls that are being stopped;
 * a turn with open calls waits for each of them, however long (R4). One with a
 * call that only its program can run ends there, once the others have run.
 */
export function decideNextStep(turn: Turn, limits: RuntimeLimits, nowMs: number): NextStep {
  const { phase } = turn;
  const waits = callsOf(turn).some(isOpen);
  if (turn.cancelledAtMs !== undefined) return waits ? WAIT : { kind: 'end', status: 'cancelled' };
  switch (phase.kind) {
    case 'starting':
      return askWithin(turn, limits, nowMs);
    case 'asking':
      return WAIT;
    case 'retrying':
      return nowMs >= phase.atMs ? askWithin(turn, limits, nowMs) : WAIT;
    case 'calling':
      if (waits) return WAIT;
      return phase.calls.some(({ state }) => state === 'handed_over')
        ? { kind: 'end', status: 'completed', stop: 'handed_over' }
        : askWithin(turn, limits, nowMs);
    case 'answered':
      return { kind: 'end', status: 'completed', stop: phase.stop };
    case 'failed':
      return { kind: 'end', status: 'failed', error: phase.error };
  }
}
