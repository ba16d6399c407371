import type { CommandJudgement } from './command-judgement.js';
import { judgeScript } from './judge-script.js';
import { stricter } from './stricter.js';

export type { CommandJudgement, CommandVerdict, SimpleCommand } from './command-judgement.js';

/**
 * Judges a command line for `run_command` and `run_persistent` (docs/specification/policy.md#commands). Takes any text, never throws, and its work is bounded: what is
 * too long, too deep or not understood asks.
 */
export function judgeCommand(command: string): CommandJudgement {
  const { commands, fault } = judgeScript(command, ['']);
  const [first, ...rest] = commands;
  const strictest = first === undefined ? undefined : rest.reduce(stricter, first);
  if (fault !== undefined) {
    const refused = strictest?.verdict === 'refuse' ? strictest : { verdict: 'ask' as const, reason: `the command ${fault}` };
    return { verdict: refused.verdict, reason: refused.reason, commands: [] };
  }
  if (strictest === undefined) return { verdict: 'ask', reason: 'there is no command', commands: [] };
  return { verdict: strictest.verdict, reason: strictest.reason, commands };
}
