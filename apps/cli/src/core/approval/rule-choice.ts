import type { RememberedRule } from '@codelab/client';
import { rememberedBy, RULE_SCOPES, type RuleChoice } from '@codelab/tools/human';
import type { Key } from '../input/key.js';

export type RuleStep =
  | { readonly kind: 'choice'; readonly choice: RuleChoice }
  | { readonly kind: 'back' }
  | { readonly kind: 'decide'; readonly remember: RememberedRule };

/** What a key does to the choice. Only the letter that the panel names decides. */
export function stepRule(choice: RuleChoice, key: Key): RuleStep {
  const change = (next: Partial<RuleChoice>): RuleStep => ({ kind: 'choice', choice: { ...choice, ...next } });
  const move = (by: number): RuleStep => change({ picked: (choice.picked + by + choice.proposals.length) % choice.proposals.length });
  const reach = (by: number): RuleStep =>
    change({ scope: RULE_SCOPES[(RULE_SCOPES.indexOf(choice.scope) + by + RULE_SCOPES.length) % RULE_SCOPES.length]! });
  if (key.kind === 'text') {
    const scope = RULE_SCOPES.find((one) => one.startsWith(key.text));
    if (scope) return change({ scope });
    if (key.text === decidingKey(choice)) return { kind: 'decide', remember: rememberedBy(choice) };
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
