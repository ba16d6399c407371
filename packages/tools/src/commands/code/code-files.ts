/** The code of the workspace that a command runs. */
export interface CodeFiles {
  /** Files that hold or name that code, from where the command runs. */
  readonly files: readonly string[];
  /** These are the files, and no option puts others in their place. Only then can a rule be bound to them. */
  readonly certain: boolean;
}
