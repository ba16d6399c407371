import type { InboxEntry } from '@codelab/bus';
import { cancelDueAt } from '../inputs/apply-cancel.js';
import type { RuntimeLimits } from './runtime-limits.js';
import { nextFlushAt } from '../model/stream-text.js';
import { callsOf, type Call, type SessionState, type Turn } from './turn-state.js';

const timesOf = (turn: Turn, limits: RuntimeLimits): readonly (number | undefined)[] => {
  const { phase } = turn;
  const outOfTimeAt = turn.phaseSinceMs + limits.turnTimeoutMs - turn.activeMs;
  if (phase.kind === 'asking') return [nextFlushAt(phase.step), outOfTimeAt];
  if (phase.kind === 'retrying') return [phase.atMs, outOfTimeAt];
  const cancelled = cancelDueAt(turn);
  return cancelled === undefined ? callsOf(turn).map(timeOf) : [cancelled];
};

const timeOf = ({ state, expiresAtMs, checkAtMs }: Call): number | undefined => {
  const at = state === 'waiting_approval' ? expiresAtMs : state === 'ready' ? checkAtMs : 0;
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
  if (entries.some(({ kind }) => kind === 'executor')) return true;
  const cancelledAt = cancelDueAt(turn);
  if (cancelledAt !== undefined) return nowMs >= cancelledAt;
  return callsOf(turn).some(({ state, checkAtMs }) => state === 'ready' && checkAtMs > 0 && nowMs >= checkAtMs);
}
