import type { CallPlace, LocalPolicy, LocalRule } from '@codelab/client';
import type { Operand, RuleProposal } from '@codelab/protocol';
import { decidePolicy, findTool, judgedMode, toPolicyRule, type JsonObject } from '@codelab/tools';

/** What the policy says of a call before anybody is asked. */
export type Verdict =
  /** `operands`: the files of the rule that allows it. */
  | { readonly kind: 'run'; readonly byRule: boolean; readonly operands: readonly Operand[] }
  | {
      readonly kind: 'ask';
      readonly reason: string;
      readonly risk: 'low' | 'medium' | 'high';
      readonly proposals: readonly RuleProposal[];
    }
  | { readonly kind: 'deny'; readonly reason: string };

/** What a call is judged by. */
export interface JudgePorts {
  /** How much is asked: a session's `mode`. */
  readonly mode: string;
  /** The person's rules that hold at a place. Throws where one can't be read: then everything is asked. */
  readonly rules: (place: CallPlace) => Promise<readonly LocalRule[]>;
  readonly localPolicy: LocalPolicy;
  readonly now: () => number;
}

/**
 * Judges a call as servers and client judge one of the agent: by the one policy function in the mode that was chosen, with the rules that the
 * person made at this machine, then by the policy of this machine, which only asks more (H1). Nothing that the other program says counts.
 */
export async function judgeCall(toolName: string, args: JsonObject, place: CallPlace, ports: JudgePorts): Promise<Verdict> {
  const local = await ports.localPolicy.judge(toolName, args, place);
  if (local.kind === 'deny') return local;
  const rules = await ports.rules(place).catch((error: Error) => error.message);
  if (typeof rules === 'string') return { kind: 'ask', reason: rules, risk: 'high', proposals: [] };
  const decision = decidePolicy(findTool(toolName), toolName, args, {
    ...judgedMode(ports.mode),
    agent: 'coder',
    rules: rules.map(({ rule, ruleId, scope }) => toPolicyRule(rule, { ruleId, scope })),
    nowMs: ports.now(),
    checksFiles: true,
  });
  if (decision.kind === 'deny') return decision;
  if (decision.kind === 'ask') return { ...decision, proposals: decision.proposals ?? [] };
  if (local.kind === 'ask') {
    const { reason, risk, proposals = [] } = local;
    return { kind: 'ask', reason, risk, proposals };
  }
  return {
    kind: 'run',
    byRule: decision.ruleId !== undefined || local.approved === 'by_rule',
    operands: [...(decision.operands ?? []), ...(local.operands ?? [])],
  };
}
