import { basePolicyOf, isCanonicalTool, type JsonObject, type PolicyDecision } from '@codelab/tools';

/** Why a call was judged so, in words that hold nothing of its arguments: what the policy says to people names paths and commands. */
export function auditReason(toolName: string, args: JsonObject, decision: PolicyDecision): string {
  const does = isCanonicalTool(toolName) ? basePolicyOf(toolName, args).does : 'runs a tool of another program';
  if (decision.kind === 'ask') return `${does}; risk ${decision.risk}`;
  if (decision.kind === 'deny') return `${does}; ${decision.ruleId === undefined ? 'the policy refuses it' : 'a rule forbids it'}`;
  return decision.ruleId === undefined ? does : `${does}; a rule allows it`;
}
