import { type Approval, decodeServerFrame, type ServerFrameOf } from '@codelab/protocol';
import { basePolicyOf, isCanonicalTool, isJsonObject, proposeRules } from '@codelab/tools';
import type { StepBuilder } from '../turn/step-builder.js';
import { targetOf } from './settle-call.js';
import { toApproval } from './to-approval.js';
import type { OpenCall, UndecidedCall } from '../turn/turn-state.js';

/** Why a question comes that a rule had spared. */
const CHANGED = 'a file that the rule for it is bound to has another content now';

/**
 * Puts the question about a call whose files are not those that were approved: as it was first put, or for the first time where a rule
 * bound to files had allowed the call. Nothing was done; only a human's decision makes it ready again (H1, H2).
 */
export function askAnew(builder: StepBuilder, call: OpenCall): void {
  const first = decodeServerFrame(call.frame);
  if (first?.type !== 'tool_call') throw new Error(`the call ${call.callId} has no frame to ask with`);
  const { approvalTimeoutMs } = builder.context.limits;
  const expiresAtMs = approvalTimeoutMs > 0 ? builder.nowMs + approvalTimeoutMs : 0;
  const { operands: _, ...question } = first;
  const approval: Approval = first.approval ?? firstQuestion(first);
  const number = call.askedAnew + 2;
  const expires_at_ms = expiresAtMs === 0 ? approval.expires_at_ms : expiresAtMs;
  const frame = builder.say({
    ...question,
    fence: call.fence,
    state: 'waiting_approval',
    requires_approval: true,
    approval: { ...approval, question: number, expires_at_ms },
  });
  const argsSha256 = first.args_sha256;
  builder.calls.push({ kind: 'ask_again', callId: call.callId, frame, argsSha256, question: number, expiresAtMs });
  builder.sayStatus(call.callId, call.toolName, 'waiting_approval');
  const reason = 'its files are not those that were approved';
  builder.record({ ...call, argsSha256 }, { outcome: 'asked', by: 'policy', target: targetOf(call), reason });
  builder.putCall(toUndecided(call, { frame, argsSha256, expiresAtMs }));
}

/** The question about a call that nobody was asked about. */
const firstQuestion = ({ tool_name: name, args, origin }: ServerFrameOf<'tool_call'>): Approval => {
  const value = args.parse();
  const risk = isCanonicalTool(name) && isJsonObject(value) ? basePolicyOf(name, value).risk : 'medium';
  const proposals = isJsonObject(value) ? proposeRules(name, value, origin === 'proxy' ? origin : undefined) : [];
  return toApproval({ kind: 'ask', reason: CHANGED, risk, proposals }, 0);
};

const toUndecided = (call: OpenCall, question: Pick<UndecidedCall, 'frame' | 'argsSha256' | 'expiresAtMs'>): UndecidedCall => {
  const { callId, toolName, deadlineMs, idempotency, fence, askedAnew, openedAtMs } = call;
  const facts = { callId, toolName, deadlineMs, idempotency, fence, openedAtMs, askedAnew: askedAnew + 1, asked: true, human: true };
  return { ...facts, ...question, state: 'waiting_approval' };
};
