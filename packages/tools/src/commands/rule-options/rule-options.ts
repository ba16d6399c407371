/**
 * The options that a remembered rule lets a program be called with. All others ask, however harmless: a rule names the first words of a command, and
 * must not allow what its human never saw. Left out are options that name code, a program, a plugin or a configuration, that write where the human
 * wouldn't expect it, or that reach the network. Names are separated by blanks, those of one letter are short options.
 */
export interface RuleOptions {
  /**
   * `joined`: short options stand together and before their value (`-xv`, `-n4`), as getopt reads them. `apart`: each by itself, its value behind
   * `=` or in the next word. `words`: names of any length after one dash or two, as Go reads them.
   */
  readonly style: 'joined' | 'apart' | 'words';
  /** Without a value of their own; one after `=` (`--watch=false`, `--cov=src`) is judged as a path. */
  readonly flags?: string;
  /** Short options whose value, if there is one, is attached; it is judged as a path. */
  readonly attached?: string;
  /** With a value that is text and no path. */
  readonly texts?: string;
  /** With a value that is a path, and must lie in the workspace. */
  readonly paths?: string;
  /**
   * `files` (and whatever else stands where files may): each is judged as a path. `revisions`: of git; `@` begins one, and what begins with `:`
   * asks. `names`: none of them may hold what a shell reads. `targets`: such names, and no further one where the rule names one itself: it says what
   * runs. Without: `files`.
   */
  readonly operands?: 'files' | 'revisions' | 'names' | 'targets';
  /** What follows `--` is for another program. Without: operands follow. */
  readonly rest?: RuleOptions;
}

/** The options of one command, whose name is its first words. */
export type RuleOptionsByWords = readonly (readonly [words: readonly RegExp[], options: RuleOptions])[];
