import type { InboxEntry } from '@codelab/bus';
import { DEADLINE_GRACE_MS, FLUSH_INTERVAL_MS, type RuntimeLimits, STOP_GRACE_MS } from './runtime-limits.js';
import { type Call, callsOf, isOpen, type SessionState, type Step, type Turn } from './turn-state.js';

const timesOf = (turn: Turn, limits: RuntimeLimits): readonly (number | undefined)[] => {
  const { phase } = turn;
  const outOfTimeAt = turn.phaseSinceMs + limits.turnTimeoutMs - turn.activeMs;
  if (phase.kind === 'asking') return [nextFlushAt(phase.step), outOfTimeAt];
  if (phase.kind === 'retrying') return [phase.atMs, outOfTimeAt];
  const cancelled = cancelDueAt(turn);
  return cancelled === undefined ? [turn.reviewAtMs, ...callsOf(turn).map(timeOf)] : [cancelled];
};

const timeOf = (call: Call): number | undefined => {
  const at = call.state === 'waiting_approval' ? call.expiresAtMs : call.state === 'ready' ? call.checkAtMs : 0;
  return at === 0 ? undefined : at;
};

/** When time alone will have a consequence for a session; `undefined` if never. */
export function nextWakeAt({ turn }: SessionState, limits: RuntimeLimits): number | undefined {
  if (turn === undefined) return undefined;
  const times = timesOf(turn, limits).filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Whether a step depends on how far the executor is with the open calls, so that their records have to be read before it. */
export function needsRecords({ turn }: SessionState, entries: readonly InboxEntry[], nowMs: number): boolean {
  if (turn === undefined) return false;
  if (entries.some(({ kind }) => kind === 'executor') || reviewsQuestions({ turn }, entries, nowMs)) return true;
  const cancelledAt = cancelDueAt(turn);
  if (cancelledAt !== undefined) return nowMs >= cancelledAt;
  return callsOf(turn).some((call) => call.state === 'ready' && nowMs >= call.checkAtMs);
}

/** Whether calls that wait for a human are judged once more, because a rule was made. */
export const reviewsQuestions = ({ turn }: Pick<SessionState, 'turn'>, entries: readonly InboxEntry[], nowMs: number): boolean =>
  turn?.phase.kind === 'calling' &&
  turn.cancelledAtMs === undefined &&
  (entries.some(({ kind }) => kind === 'rules') || nowMs >= (turn.reviewAtMs ?? Infinity));

/** When the calls of a cancelled turn have had their moment; nothing while there is none to wait for. */
export const cancelDueAt = (turn: Turn): number | undefined =>
  turn.cancelledAtMs !== undefined && callsOf(turn).some(isOpen) ? turn.cancelledAtMs + STOP_GRACE_MS : undefined;

/**
 * The time since the present phase began that counts against the wall clock of the turn. Calls that a human takes part in don't count,
 * and an executor that is away costs no more than its tools may take (R4).
 */
export function activeTimeOf({ phase, phaseSinceMs }: Pick<Turn, 'phase' | 'phaseSinceMs'>, nowMs: number): number {
  const elapsed = Math.max(nowMs - phaseSinceMs, 0);
  if (phase.kind === 'asking' || phase.kind === 'retrying') return elapsed;
  if (phase.kind !== 'calling' || phase.calls.some(({ human }) => human)) return 0;
  return Math.min(elapsed, Math.max(0, ...phase.calls.map(({ deadlineMs }) => deadlineMs)) + DEADLINE_GRACE_MS);
}

/** When `flushText` has something to do, if ever. */
const nextFlushAt = (step: Step): number | undefined => (step.text.length > step.shown ? step.flushedAtMs + FLUSH_INTERVAL_MS : undefined);
