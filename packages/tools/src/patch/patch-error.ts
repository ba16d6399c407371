/** A text is no patch that we can apply; the message says why, and in which line of the text. */
export class PatchError extends Error {
  override readonly name = 'PatchError';

  /** @param line counts from 1 */
  constructor(
    problem: string,
    readonly line: number,
  ) {
    super(`line ${String(line)} of the diff: ${problem}`);
  }
}
