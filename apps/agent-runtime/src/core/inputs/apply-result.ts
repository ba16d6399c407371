import type { InboxEntry } from '@codelab/bus';
import { deniedByUser } from './apply-decision.js';
import { askAnew } from '../calls/ask-anew.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { readCallResult } from '../calls/read-call-result.js';
import { MAX_ASKED_ANEW } from '../turn/runtime-limits.js';
import { settleCall } from '../calls/settle-call.js';
import { isOpen, type OpenCall } from '../turn/turn-state.js';
import { applyLateResult } from './apply-late-result.js';

type ResultEntry = Extract<InboxEntry, { kind: 'result' }>;

/**
 * Takes the first result of a call. A result that a client without identity sends for an undecided call is its decision, made there and in
 * the log already. A result that says that something else was approved than would be done puts the question, for the first time where a
 * rule had spared it; nothing was done then.
 */
export function applyResult(builder: StepBuilder, { callId, frame, local }: ResultEntry): void {
  const call = builder.findCall(callId);
  if (call === undefined || !isOpen(call)) return applyLateResult(builder, { callId, frame, replaces: true });
  const { message, ...result } = readCallResult(call.toolName, frame);
  if (local && call.state === 'waiting_approval') {
    if (result.outcome === 'PERMISSION_DENIED') return settleCall(builder, call, { ...deniedByUser(message), synthetic: false });
  } else if (result.outcome === 'APPROVAL_MISMATCH' && wasAllowedForFiles(call) && call.askedAnew < MAX_ASKED_ANEW) {
    return askAnew(builder, call);
  }
  settleCall(builder, call, result);
}

/** A human or a rule that is bound to files allowed the call for what the files were. */
const wasAllowedForFiles = (call: OpenCall): boolean => call.asked || (call.state === 'ready' && call.bound === true);
