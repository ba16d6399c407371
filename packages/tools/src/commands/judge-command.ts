/** What becomes of a command: `automatic` does no harm and may run unasked where the mode says so; `refuse` is never run. */
export type CommandVerdict = 'automatic' | 'ask' | 'refuse';

/** One program that a command line runs, after its wrappers (`sudo`, `env`, `timeout`, `xargs`, `sh -c` …) are taken off. */
export interface SimpleCommand {
  /** The program and its arguments as the shell would pass them. A word that only the shell can tell is not here: see `literal`. */
  readonly words: readonly string[];
  /** Every word is known: no variable, substitution or glob. Only such a command can be allowed by a rule. */
  readonly literal: boolean;
  readonly verdict: CommandVerdict;
  /** Why, as a clause for people. */
  readonly reason: string;
  /** Operands that are paths, as they are written: files that it reads or writes. */
  readonly paths: readonly string[];
  /** Files of the workspace whose code it runs (`./build.sh`, `package.json` of `npm test`, `Makefile`), as paths from where it runs. */
  readonly runs: readonly string[];
}

/** A whole command line: the strictest verdict of its parts. */
export interface CommandJudgement {
  readonly verdict: CommandVerdict;
  readonly reason: string;
  /** In the order in which they stand. Empty for a line that can't be parsed. */
  readonly commands: readonly SimpleCommand[];
}

/** Judges a command line for `run_command` and `run_persistent` (design, section 4). */
export const judgeCommand = (_command: string): CommandJudgement => ({ verdict: 'ask', reason: 'runs a command', commands: [] });
