/** A line that has a match. */
export interface Hit {
  /** From 0. */
  readonly line: number;
  /** Where the line begins, in bytes of the content. */
  readonly start: number;
  /** Where the first match of the line begins, in bytes of the line. */
  readonly at: number;
  /** Lines that the match, or several that touch one another's, goes on over. */
  readonly more?: number;
}

/** Finds lines in contents that are there already: nothing is opened. */
export interface LineMatcher {
  /**
   * @param contents texts with `\n` between lines, none of them empty
   * @param most hits wanted, of all contents together, in their order
   */
  find(contents: readonly Buffer[], most: number): Promise<readonly (readonly Hit[])[]>;
}
