import { decodeServerFrame } from '@codelab/protocol';
import { auditTarget, basePolicyOf, isCanonicalTool, isJsonObject, type JsonObject, type PolicyDecision } from '@codelab/tools';
import type { Call } from '../turn/turn-state.js';

/** What an open call acts on, for the audit trail; '' where its record is gone. */
export function targetOf(call: Pick<Call, 'toolName' | 'frame'>): string {
  const frame = decodeServerFrame(call.frame);
  const args = frame?.type === 'tool_call' ? frame.args.parse() : undefined;
  return isJsonObject(args) ? auditTarget(call.toolName, args) : '';
}

/** Why a call was judged so, in words that hold nothing of its arguments: what the policy says to people names paths and commands. */
export function auditReason(toolName: string, args: JsonObject, decision: PolicyDecision): string {
  const does = isCanonicalTool(toolName) ? basePolicyOf(toolName, args).does : 'runs a tool of another program';
  if (decision.kind === 'ask') return `${does}; risk ${decision.risk}`;
  if (decision.kind === 'deny') return `${does}; ${decision.ruleId === undefined ? 'the policy refuses it' : 'a rule forbids it'}`;
  return decision.ruleId === undefined ? does : `${does}; a rule allows it`;
}
