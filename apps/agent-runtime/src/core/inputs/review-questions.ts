import { type CallRecord, decodeServerFrame, type DecisionRecord, type Operand } from '@codelab/protocol';
import { isJsonObject, type PolicyDecision, type ToolDefinition } from '@codelab/tools';
import { syntheticResult } from '../calls/call-result.js';
import { judgeByPolicy } from '../calls/judge-call.js';
import { settleCall, targetOf } from '../calls/settle-call.js';
import { foreignToolOf, toolOf } from '../model/who-runs.js';
import type { StepBuilder } from '../turn/step-builder.js';
import { callsOf, type UndecidedCall } from '../turn/turn-state.js';
import { release } from './apply-decision.js';

/**
 * Judges the calls that wait for a human once more, because a rule was made since: what it covers needs nobody any more. They are judged as new
 * calls are, and only a rule of a human settles them (H1); what is asked because the model repeats itself, or because files have changed, waits on.
 * @param records of the open calls: what an approver was shown of their files
 */
export function reviewQuestions(builder: StepBuilder, records: readonly CallRecord[]): void {
  const { turn } = builder;
  if (turn === undefined || builder.isCancelled) return;
  if (turn.reviewAtMs !== undefined && builder.nowMs >= turn.reviewAtMs) builder.change({ reviewAtMs: undefined });
  for (const call of callsOf(turn)) {
    if (call.state === 'waiting_approval' && call.askedAnew === 0 && call.loop !== true)
      review(
        builder,
        call,
        records.find(({ callId }) => callId === call.callId),
      );
  }
}

const review = (builder: StepBuilder, call: UndecidedCall, record: CallRecord | undefined): void => {
  const frame = decodeServerFrame(call.frame);
  const args = frame?.type === 'tool_call' ? frame.args.parse() : undefined;
  const tool = definitionOf(builder, call.toolName);
  if (tool === undefined || !isJsonObject(args)) return;
  const decision = judgeByPolicy(builder, tool, args);
  if (decision.kind === 'deny' && decision.ruleId !== undefined) refuse(builder, call, decision);
  if (decision.kind !== 'allow' || decision.ruleId === undefined) return;
  if ((decision.operands ?? []).every((file) => isShown(file, record))) approve(builder, call, decision);
};

const definitionOf = ({ context: { facts } }: StepBuilder, name: string): ToolDefinition | undefined =>
  (toolOf(facts, name) ?? foreignToolOf(facts, name))?.tool;

/** A rule that is bound to a file covers a call whose preview, which binds its effect, has that content (H2). */
const isShown = (file: Operand, record: CallRecord | undefined): boolean => {
  const { operands = [] } = JSON.parse(record?.preview || '{}') as { readonly operands?: readonly Operand[] };
  return operands.some(({ path, sha256 }) => path === file.path && sha256 === file.sha256);
};

const approve = (builder: StepBuilder, call: UndecidedCall, { ruleId }: Extract<PolicyDecision, { kind: 'allow' }>): void => {
  const decision: DecisionRecord = { outcome: 'approved', argsSha256: call.argsSha256, by: 'policy', atMs: builder.nowMs };
  builder.calls.push({ kind: 'approve', callId: call.callId, decision });
  tell(builder, call, { outcome: 'approved', ruleId, reason: 'a rule that was made meanwhile allows it' });
  release(builder, call, decision);
};

const refuse = (builder: StepBuilder, call: UndecidedCall, { ruleId, reason }: Extract<PolicyDecision, { kind: 'deny' }>): void => {
  tell(builder, call, { outcome: 'rejected', ruleId, reason: 'a rule that was made meanwhile forbids it', feedback: reason });
  settleCall(builder, call, syntheticResult('DENIED_BY_POLICY', `This call is not allowed: ${reason}.`));
};

/** Every approver is told that nobody needs to decide any more, and the audit trail. */
const tell = (
  builder: StepBuilder,
  call: UndecidedCall,
  told: {
    readonly outcome: 'approved' | 'rejected';
    readonly ruleId: string | undefined;
    readonly reason: string;
    readonly feedback?: string;
  },
): void => {
  const { outcome, ruleId, reason, feedback } = told;
  const { callId: call_id, argsSha256: args_sha256 } = call;
  builder.record(call, { outcome, by: 'policy', target: targetOf(call), reason, ruleId });
  builder.say({ type: 'approval_resolved', call_id, outcome, args_sha256, feedback, by: 'policy', at_ms: builder.nowMs });
};
