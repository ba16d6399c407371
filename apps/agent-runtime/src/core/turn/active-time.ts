import { DEADLINE_GRACE_MS } from './runtime-limits.js';
import type { Turn } from './turn-state.js';

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
