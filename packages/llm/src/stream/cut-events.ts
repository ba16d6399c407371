import { LlmError } from '../errors/llm-error.js';
import { MAX_EVENT_CHARACTERS } from './read-events.js';

/** Whole server-sent events as they came. */
export interface EventBlock {
  readonly bytes: Buffer;
  /** The same with one character per byte, so that places in it are places in `bytes`: for looking at its structure. */
  readonly latin1: string;
  /** Some line may end in a carriage return. */
  readonly hasCarriage: boolean;
}

const EMPTY: EventBlock = { bytes: Buffer.alloc(0), latin1: '', hasCarriage: false };
/** The end of a line and an empty one, each in any of the three forms. A `\r` at the very end may be half of one. */
const BOUNDARY = /(?:\r\n|\n|\r(?=[^\n]))(?:\r\n|\n|\r(?=[^\n]))/g;

const EMPTY_LINE = Buffer.from('\n\n');
/** As much of `BOUNDARY` as can stand before the byte that completes it. */
const LONGEST_BEGINNING = 3;
const CARRIAGE = 13;
const LINE_FEED = 10;

/**
 * Cuts a byte stream where server-sent events end, and keeps the bytes of an event until the rest of it came. Each byte is searched and copied
 * a fixed number of times, however small its pieces and short its lines: an event without end costs what it is long.
 */
export class EventCutter {
  /** The first `restBytes` of it are kept; behind them is room. They have no end of an event. */
  private rest: Buffer = EMPTY.bytes;
  private restBytes = 0;

  /** Takes bytes as they came and gives the events that are whole now. Throws `stream_interrupted` for one that is too long. */
  push(chunk: Uint8Array): EventBlock {
    const bytes = this.join(chunk);
    if (!bytes) return EMPTY;
    const latin1 = bytes.toString('latin1');
    const hasCarriage = latin1.includes('\r');
    const end = latin1.endsWith('\n\n') ? bytes.length : lastEnd(latin1, hasCarriage);
    if (end === bytes.length) return { bytes, latin1, hasCarriage };
    this.keep(bytes.subarray(end));
    return { bytes: bytes.subarray(0, end), latin1: latin1.slice(0, end), hasCarriage };
  }

  /** The stream ended: gives what is left, with the end that some servers forget. */
  end(): EventBlock {
    if (this.restBytes === 0) return EMPTY;
    return this.push(EMPTY_LINE);
  }

  /** What is left and `chunk`; nothing if no event ends in it. */
  private join(chunk: Uint8Array): Buffer | undefined {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.restBytes === 0) return bytes;
    if (this.restBytes + bytes.length > MAX_EVENT_CHARACTERS) {
      throw new LlmError('stream_interrupted', `The provider sent an event of more than ${MAX_EVENT_CHARACTERS} characters.`);
    }
    const isEnd = this.endsIn(bytes);
    this.keep(bytes);
    if (!isEnd) return undefined;
    const all = this.rest.subarray(0, this.restBytes);
    this.rest = EMPTY.bytes;
    this.restBytes = 0;
    return all;
  }

  /** Whether `bytes` complete the end of an event, which may have begun in what is left. */
  private endsIn(bytes: Buffer): boolean {
    if (bytes.includes(EMPTY_LINE)) return true;
    const tail = this.rest.toString('latin1', Math.max(0, this.restBytes - LONGEST_BEGINNING), this.restBytes);
    if (!tail.includes('\r') && !bytes.includes(CARRIAGE)) return tail.endsWith('\n') && bytes[0] === LINE_FEED;
    BOUNDARY.lastIndex = 0;
    return BOUNDARY.test(tail + bytes.toString('latin1'));
  }

  /** Keeps a copy, as the socket's buffer may be used again. The room doubles, so that many small pieces are moved seldom. */
  private keep(bytes: Buffer): void {
    const size = this.restBytes + bytes.length;
    if (size > this.rest.length) {
      const room = Buffer.allocUnsafe(Math.max(size, 2 * this.rest.length));
      this.rest.copy(room, 0, 0, this.restBytes);
      this.rest = room;
    }
    bytes.copy(this.rest, this.restBytes);
    this.restBytes = size;
  }
}

/** Where the event of `block` that begins at `from` ends. */
export function endOfEvent({ latin1, hasCarriage }: EventBlock, from: number): number {
  if (!hasCarriage) {
    const at = latin1.indexOf('\n\n', from);
    return at === -1 ? latin1.length : at + 2; // a single empty line may be left
  }
  BOUNDARY.lastIndex = from;
  return BOUNDARY.test(latin1) ? BOUNDARY.lastIndex : latin1.length;
}

function lastEnd(latin1: string, hasCarriage: boolean): number {
  if (!hasCarriage) {
    const at = latin1.lastIndexOf('\n\n');
    return at === -1 ? 0 : at + 2;
  }
  let end = 0;
  BOUNDARY.lastIndex = 0;
  while (BOUNDARY.test(latin1)) end = BOUNDARY.lastIndex;
  return end;
}

/** The name and the data of one event; neither for a comment. */
export function readEvent(text: string): { readonly event?: string; readonly data?: string } {
  const data: string[] = [];
  let event: string | undefined;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    else if (line.startsWith('event:')) event = line.slice(6).trim();
  }
  return { event, ...(data.length > 0 && { data: data.join('\n') }) };
}
