import { withoutCutEnd } from './cut-characters.js';

/** Lines of a file that are wanted. */
interface LinesWanted {
  /** The first one, from 1. */
  readonly offset: number;
  /** How many; `Infinity` for all that there is room for. */
  readonly limit: number;
  /** Bytes of all of them. */
  readonly maxBytes: number;
}

/** What was taken of a file. */
export interface LinesTaken {
  /** The lines as they are in the file, with their ends. */
  readonly content: Buffer;
  readonly total: number;
  /** There are lines after the last one taken. */
  readonly truncated: boolean;
  /** Lines that were too long, by their numbers: only their beginning is here. */
  readonly cut: readonly number[];
}

/** Bytes of one line that are taken. */
const MAX_LINE_BYTES = 64 * 1024;
const [LF, CR] = [10, 13];

/** Takes lines out of a file that comes piece by piece. Memory is bounded by what is wanted, whatever the file and its lines. */
export class LineRange {
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private readonly cut: number[] = [];
  private line = 1;
  /** Of the line that is being read. */
  private parts: Buffer[] = [];
  private partBytes = 0;
  private lineBytes = 0;
  private endsInReturn = false;
  private last = 0;
  private isFull = false;

  constructor(private readonly wanted: LinesWanted) {}

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const newline = chunk.indexOf(LF, at);
      const end = newline === -1 ? chunk.length : newline;
      this.take(chunk.subarray(at, end));
      if (newline !== -1) this.endLine(true);
      at = end + 1;
    }
  }

  end(): LinesTaken {
    if (this.lineBytes > 0) this.endLine(false);
    const total = this.line - 1;
    const { offset } = this.wanted;
    return { content: Buffer.concat(this.kept), total, truncated: offset <= total && this.last < total, cut: this.cut };
  }

  private get isWanted(): boolean {
    return !this.isFull && this.line >= this.wanted.offset && this.line - this.wanted.offset < this.wanted.limit;
  }

  private take(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.lineBytes += bytes.length;
    this.endsInReturn = bytes.at(-1) === CR;
    const room = MAX_LINE_BYTES - this.partBytes;
    if (room <= 0 || !this.isWanted) return;
    const part = bytes.subarray(0, room);
    this.parts.push(part);
    this.partBytes += part.length;
  }

  private endLine(hasEnd: boolean): void {
    if (this.isWanted) this.keep(hasEnd);
    this.line += 1;
    [this.parts, this.partBytes, this.lineBytes, this.endsInReturn] = [[], 0, 0, false];
  }

  private keep(hasEnd: boolean): void {
    const isCut = this.lineBytes > this.partBytes;
    const text = isCut ? withoutCutEnd(Buffer.concat(this.parts)) : Buffer.concat(this.parts);
    const end = Buffer.from(!hasEnd ? '' : isCut && this.endsInReturn ? '\r\n' : '\n');
    const bytes = text.length + end.length;
    this.isFull = this.keptBytes + bytes > this.wanted.maxBytes;
    if (this.isFull) return;
    this.kept.push(text, end);
    this.keptBytes += bytes;
    this.last = this.line;
    if (isCut) this.cut.push(this.line);
  }
}
