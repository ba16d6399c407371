import type { RememberedRule } from '@codelab/client';
import type { RuleProposal } from '@codelab/protocol';
import type { Key } from '../input/key.js';
import type { PendingCall } from './pending-call.js';
import { refusalRule } from './refusal-rule.js';

export const RULE_SCOPES = ['session', 'project', 'user'] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** A decision that is to be remembered: which rule is made of it, and how far it reaches. The narrowest of both is picked first. */
export interface RuleChoice {
  readonly decision: 'approve' | 'reject';
  readonly proposals: readonly RuleProposal[];
  readonly picked: number;
  readonly scope: RuleScope;
}

export type RuleStep =
  | { readonly kind: 'choice'; readonly choice: RuleChoice }
  | { readonly kind: 'back' }
  | { readonly kind: 'decide'; readonly remember: RememberedRule };

/** Begins to choose; undefined where there is no rule to be made. */
export function chooseRule(call: PendingCall, decision: RuleChoice['decision']): RuleChoice | undefined {
  const refusal = decision === 'reject' ? refusalRule(call) : undefined;
  const proposals = decision === 'approve' ? (call.approval?.proposals ?? []) : refusal ? [refusal] : [];
  return proposals.length === 0 ? undefined : { decision, proposals, picked: 0, scope: 'session' };
}

/** What a key does to the choice. Only the letter that the panel names decides. */
export function stepRule(choice: RuleChoice, key: Key): RuleStep {
  const change = (next: Partial<RuleChoice>): RuleStep => ({ kind: 'choice', choice: { ...choice, ...next } });
  const move = (by: number): RuleStep => change({ picked: (choice.picked + by + choice.proposals.length) % choice.proposals.length });
  const reach = (by: number): RuleStep =>
    change({ scope: RULE_SCOPES[(RULE_SCOPES.indexOf(choice.scope) + by + RULE_SCOPES.length) % RULE_SCOPES.length]! });
  if (key.kind === 'text') {
    const scope = RULE_SCOPES.find((one) => one.startsWith(key.text));
    if (scope) return change({ scope });
    if (key.text === decidingKey(choice)) return decide(choice);
    const picked = Number(key.text) - 1;
    return picked >= 0 && picked < choice.proposals.length ? change({ picked }) : change({});
  }
  if (key.kind !== 'named') return change({});
  if (key.name === 'escape') return { kind: 'back' };
  if (key.name === 'up' || key.name === 'down') return move(key.name === 'up' ? -1 : 1);
  return key.name === 'left' || key.name === 'right' ? reach(key.name === 'left' ? -1 : 1) : change({});
}

/** The letter that decides. */
export const decidingKey = ({ decision }: RuleChoice): 'a' | 'r' => (decision === 'approve' ? 'a' : 'r');

const decide = ({ proposals, picked, scope }: RuleChoice): RuleStep => ({
  kind: 'decide',
  remember: { scope, rule: { ...proposals[picked]!.rule } },
});
