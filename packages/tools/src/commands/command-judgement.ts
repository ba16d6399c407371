import type { Directories } from './parse/directories.js';

/** What becomes of a command: `automatic` does no harm and may run unasked where the mode says so; `refuse` is never run. */
export type CommandVerdict = 'automatic' | 'ask' | 'refuse';

/** One program that a command line runs, after its wrappers (`sudo`, `env`, `timeout`, `xargs`, `sh -c` …) are taken off. */
export interface SimpleCommand {
  /** The program and its arguments as the shell would pass them. A word that only the shell can tell is not here: see `literal`. */
  readonly words: readonly string[];
  /**
   * The words say all that happens: no variable, substitution or glob, no assignment, no redirection to a file, no wrapper that changes something,
   * no option that puts other code in place of `runs`. Only such a command can be allowed by a rule.
   */
  readonly literal: boolean;
  readonly verdict: CommandVerdict;
  /** Why, as a clause for people. */
  readonly reason: string;
  /**
   * Operands that are paths: files that it reads or writes, seen from where the line starts. Of an `automatic` command these are all; it is harmless
   * only if each of them, where it exists, lies inside the workspace with its links followed.
   */
  readonly paths: readonly string[];
  /** Where it runs, seen from where the line starts. */
  readonly directories: Directories;
  /** Files of the workspace whose code it runs (`build.sh`, `package.json` of `npm test`, `Makefile`), seen from where the line starts. */
  readonly runs: readonly string[];
  /** The wrappers that were taken off, outermost first. */
  readonly wrappers: readonly string[];
  /** What is read and written beside the operands, as `2>/dev/null`. */
  readonly redirects: readonly string[];
  /** As it stands in the line. */
  readonly text: string;
}

/** A whole command line: the strictest verdict of its parts. */
export interface CommandJudgement {
  readonly verdict: CommandVerdict;
  readonly reason: string;
  /** In the order in which they stand. Empty for a line that can't be parsed. */
  readonly commands: readonly SimpleCommand[];
}
