/** One line of `codelab doctor`. `wrong` makes it exit with 1; `note` is worth knowing and stops nothing. */
export interface Finding {
  readonly state: 'right' | 'note' | 'wrong';
  readonly subject: string;
  /** What was found. */
  readonly found: string;
  /** What to do about it. */
  readonly remedy?: string;
  /** It isn't here, and a chat gets it by itself. */
  readonly fetched?: true;
}
