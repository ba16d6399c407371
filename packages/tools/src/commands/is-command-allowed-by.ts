import type { CommandJudgement } from './command-judgement.js';

/** The part of a rule that speaks of commands. */
export interface CommandRule {
  /** The first words of each command, after its wrappers. */
  readonly command: readonly string[];
  /** They are all of its words. */
  readonly exact?: boolean | undefined;
}

/**
 * Whether a rule covers a whole line: each command is harmless by itself, or begins with the rule's words and its words say all that happens.
 * Whether the files that the commands run are those that the rule is bound to is for the caller to see (`runs`).
 */
export function isCommandAllowedBy({ verdict, commands }: CommandJudgement, { command, exact = false }: CommandRule): boolean {
  if (verdict === 'refuse' || command.length === 0 || commands.length === 0) return false;
  return commands.every((simple) => {
    if (simple.verdict === 'automatic') return true;
    if (simple.verdict === 'refuse' || !simple.literal) return false;
    return (!exact || simple.words.length === command.length) && command.every((word, index) => simple.words[index] === word);
  });
}
