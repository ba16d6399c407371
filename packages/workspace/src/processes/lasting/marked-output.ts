/** Hands on the bytes of a stream up to a mark, which stands at the end of each command's output. */
export class MarkedOutput {
  private pending = Buffer.alloc(0);
  private mark: Buffer | undefined;
  private sink: (bytes: Buffer) => void = () => undefined;
  private onMark: () => void = () => undefined;

  /** From now on bytes go to `sink`; resolves when the mark has come. What came before, in between commands, is handed on first. */
  until(mark: Buffer, sink: (bytes: Buffer) => void): Promise<void> {
    [this.mark, this.sink] = [mark, sink];
    const found = new Promise<void>((resolve) => (this.onMark = resolve));
    this.add(Buffer.alloc(0));
    return found;
  }

  add(chunk: Buffer): void {
    this.pending = Buffer.concat([this.pending, chunk]);
    if (this.mark === undefined) {
      this.pending = this.pending.subarray(-MAX_BETWEEN_BYTES);
      return;
    }
    const at = this.pending.indexOf(this.mark);
    const ready = at === -1 ? this.pending.length - beginningAtEnd(this.pending, this.mark) : at;
    if (ready > 0) this.sink(this.pending.subarray(0, ready));
    this.pending = this.pending.subarray(at === -1 ? ready : at + this.mark.length);
    if (at === -1) return;
    this.mark = undefined;
    this.onMark();
  }

  /** Hands on what was held back for the beginning of a mark: none will come. */
  flush(): void {
    if (this.mark !== undefined && this.pending.length > 0) this.sink(this.pending);
    [this.pending, this.mark] = [Buffer.alloc(0), undefined];
  }
}

/** What background processes write in between commands, as far as it is kept for the next one. */
const MAX_BETWEEN_BYTES = 64 * 1024;

/** How many bytes at the end of a text could be the beginning of a mark. */
const beginningAtEnd = (text: Buffer, mark: Buffer): number => {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1)
    if (text.subarray(text.length - length).equals(mark.subarray(0, length))) return length;
  return 0;
};
