import type { CommandJudgement } from '../../command-judgement.js';
import { coversWords, type CommandRule } from '../../../policy/rules/allowing-rules.js';

/**
 * Whether a rule covers a whole line: each command is harmless by itself, or covered and its words say all that happens.
 * Whether the files that the commands run are those that the rule is bound to is for the caller to see (`runs`).
 */
export function isCommandAllowedBy({ verdict, commands }: CommandJudgement, rule: CommandRule): boolean {
  if (verdict === 'refuse' || rule.command.length === 0 || commands.length === 0) return false;
  return commands.every((simple) => {
    if (simple.verdict === 'automatic') return true;
    return simple.verdict !== 'refuse' && simple.literal && coversWords(rule, simple, '');
  });
}
