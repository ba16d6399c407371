import { DEADLINE_GRACE_MS } from '../turn/runtime-limits.js';
import { SEED_EXECUTOR } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';
import type { Call } from '../turn/turn-state.js';

/**
 * When to look for the first time how far the executor is with a call that became ready at `readyAtMs`. A call can't be over its deadline
 * before; a client without identity acknowledges nothing, so the look at it only finds out since when it has the call.
 */
export function firstCheckAt(
  call: Pick<Call, 'deadlineMs'>,
  readyAtMs: number,
  facts: Pick<SessionFacts, 'executor' | 'clientGraceMs'>,
): number {
  if (facts.executor === SEED_EXECUTOR) return readyAtMs + DEADLINE_GRACE_MS;
  const late = readyAtMs + call.deadlineMs + DEADLINE_GRACE_MS;
  return facts.clientGraceMs > 0 ? Math.min(late, readyAtMs + facts.clientGraceMs) : late;
}
