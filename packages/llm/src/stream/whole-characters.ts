const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/**
 * Joins characters that a provider cut in two: one that needs two UTF-16 units may come as two escapes, in two events. A half that was
 * written as bytes would become U+FFFD.
 */
export class WholeCharacters {
  private half = '';

  /** Takes a piece and gives what is whole of it and of what was held; '' for nothing yet. */
  add(piece: string): string {
    const text = this.half + piece;
    const end = HALF_CHARACTER.test(text) ? text.length - 1 : text.length;
    this.half = text.slice(end);
    return text.slice(0, end);
  }

  /** Gives a half whose other half never came. */
  end(): string {
    const half = this.half;
    this.half = '';
    return half;
  }
}
