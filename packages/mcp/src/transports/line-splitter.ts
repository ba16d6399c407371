/** The largest line, and the largest event of a stream: several times what is kept of a result. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Cuts bytes into lines, each joined once, and never holds more than one line of {@link MAX_MESSAGE_BYTES}. */
export class LineSplitter {
  private parts: Buffer[] = [];
  private length = 0;

  /** The lines that end in this chunk; undefined once a line is too long. */
  push(chunk: Buffer): readonly Buffer[] | undefined {
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      const part = chunk.subarray(from, at);
      lines.push(this.length === 0 ? part : Buffer.concat([...this.parts, part]));
      this.parts = [];
      this.length = 0;
      from = at + 1;
    }
    if (from < chunk.length) {
      this.parts.push(chunk.subarray(from));
      this.length += chunk.length - from;
    }
    if (this.length <= MAX_MESSAGE_BYTES) return lines;
    this.parts = [];
    this.length = 0;
    return undefined;
  }
}
