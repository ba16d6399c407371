import type { StepBuilder } from '../turn/step-builder.js';
import { giveUpCall, writeResults } from '../calls/settle-call.js';
import { callsOf, isOpen } from '../turn/turn-state.js';
import { writePartialText } from '../model/stream-text.js';

/**
 * Fails the turn because a result of it has no room in the store: the human reads whose quota it is and what to delete. Questions are withdrawn, and
 * of a call that may have run nothing is known, because its result was not taken (R2, R5).
 */
export function applyQuota(builder: StepBuilder, turnId: string, message: string): void {
  const { turn } = builder;
  if (turn?.turnId !== turnId || turn.phase.kind === 'failed') return;
  for (const call of callsOf(turn)) {
    if (isOpen(call)) giveUpCall(builder, call, call.state === 'waiting_approval' ? 'CANCELLED' : 'OUTCOME_UNKNOWN');
  }
  if (turn.phase.kind === 'calling') writeResults(builder);
  if (turn.phase.kind === 'asking') writePartialText(builder, turn.phase.step);
  builder.enter({ kind: 'failed', error: { code: 'QUOTA', message } });
}
