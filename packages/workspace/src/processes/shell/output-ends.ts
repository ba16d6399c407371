import { MAX_STREAM_BYTES } from '@codelab/tools';
import { withoutCutEnd, withoutCutStart } from '../../reading/cut-characters.js';

/** Bytes of each end of a stream that are kept. */
const HALF = MAX_STREAM_BYTES / 2;

/** One output stream of a command: passed on as text while it comes, and kept as its first and its last part, so that memory is bounded. */
export class OutputEnds {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private total = 0;

  /** The text that the bytes complete; what is not UTF-8 is replaced. */
  add(chunk: Buffer): string {
    this.total += chunk.length;
    const forHead = chunk.subarray(0, HALF - this.headBytes);
    if (forHead.length > 0) this.head.push(forHead);
    this.headBytes += forHead.length;
    this.keepTail(chunk.subarray(forHead.length));
    return this.decoder.decode(chunk, { stream: true });
  }

  /** What was left of a character that never came whole. */
  end(): string {
    return this.decoder.decode();
  }

  get truncated(): boolean {
    return this.total > MAX_STREAM_BYTES;
  }

  get text(): string {
    const [head, tail] = [Buffer.concat(this.head), Buffer.concat(this.tail)];
    const decode = (bytes: Buffer): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    if (!this.truncated) return decode(Buffer.concat([head, tail]));
    const [first, last] = [withoutCutEnd(head), withoutCutStart(tail.subarray(tail.length - HALF))];
    return `${decode(first)}\n… ${String(this.total - first.length - last.length)} bytes left out …\n${decode(last)}`;
  }

  private keepTail(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.tail.push(Buffer.from(bytes)); // a copy: the chunk it is cut from would stay in memory whole
    this.tailBytes += bytes.length;
    if (this.tailBytes < 2 * HALF) return;
    const tail = Buffer.concat(this.tail).subarray(-HALF);
    this.tail = [Buffer.from(tail)];
    this.tailBytes = tail.length;
  }
}
