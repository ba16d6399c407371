/** Reads a text line by line, and knows where it is. Lines end in `\n`; a `\r` before it stays part of the line. */
export class LineReader {
  private readonly lines: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  }

  /** The number of the next line, from 1. */
  get number(): number {
    return this.at + 1;
  }

  /** The next line, or one after it; `undefined` at the end. */
  peek(ahead = 0): string | undefined {
    return this.lines[this.at + ahead];
  }

  /** Takes the next line; the caller has peeked at it. */
  next(): string {
    const line = this.lines[this.at]!;
    this.at += 1;
    return line;
  }
}
