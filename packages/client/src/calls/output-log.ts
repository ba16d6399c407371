import { LIMITS, type ClientFrameOf } from '@codelab/protocol';
import { SecretStream } from '@codelab/tools';
import type { Clock } from '@codelab/clock';

type Stream = ClientFrameOf<'tool_output'>['stream'];

/** Pieces are gathered for so long: ten frames a second and stream are as live as anybody can read. */
const GATHER_MS = 100;

/** Characters of one frame, so that a burst doesn't hold up the frames of others. */
const PIECE_CHARACTERS = 32 * 1024;

/** Bytes that wait for the network, above which output is left out: it may be lost, results may not. */
const CONGESTED_BYTES = 1024 * 1024;

/** How the log reaches the gateway. */
export interface OutputPorts {
  readonly send: (frame: ClientFrameOf<'tool_output'>) => void;
  readonly buffered: () => number;
  readonly clock: Clock;
}

/** The output of one running call as `tool_output`: gathered, numbered by bytes per stream, and cut off at 4 MB a call. */
export class OutputLog {
  private readonly waiting = new Map<Stream, string>();
  private readonly offsets = new Map<Stream, number>();
  private taken = 0;
  private callOff: (() => void) | undefined;

  constructor(
    private readonly callId: string,
    private readonly ports: OutputPorts,
  ) {}

  readonly add = (stream: Stream, data: string): void => {
    const room = LIMITS.MAX_OUTPUT_BYTES - this.taken;
    const bytes = Buffer.byteLength(data);
    if (data === '' || room <= 0) return;
    const kept = bytes <= room ? data : cutBytes(data, room);
    this.taken += bytes <= room ? bytes : room;
    this.waiting.set(stream, (this.waiting.get(stream) ?? '') + kept);
    this.callOff ??= this.ports.clock.after(GATHER_MS, () => this.flush());
  };

  /** Sends what is left, and nothing any more. */
  close(): void {
    this.flush();
    this.taken = LIMITS.MAX_OUTPUT_BYTES;
  }

  private flush(): void {
    this.callOff?.();
    this.callOff = undefined;
    for (const [stream, text] of this.waiting) {
      for (let from = 0; from < text.length;) {
        const data = cutCharacters(text, from);
        const offset = this.offsets.get(stream) ?? 0;
        this.offsets.set(stream, offset + Buffer.byteLength(data));
        if (this.ports.buffered() < CONGESTED_BYTES) this.ports.send({ type: 'tool_output', call_id: this.callId, stream, offset, data });
        from += data.length;
      }
    }
    this.waiting.clear();
  }
}

/** The output of one call without its secrets, each stream for itself: a key is masked wherever its pieces are cut (L1). */
export class MaskedOutput {
  private readonly streams = new Map<Stream, SecretStream>();

  constructor(
    private readonly output: OutputLog,
    private readonly allowed: ReadonlySet<string>,
    private readonly known: readonly string[],
  ) {}

  readonly add = (stream: Stream, data: string): void => {
    const masking = this.streams.get(stream) ?? new SecretStream(this.allowed, this.known);
    this.streams.set(stream, masking);
    this.output.add(stream, masking.push(data));
  };

  /** Gives out what was kept back, for a key that did not come. */
  end(): void {
    for (const [stream, masking] of this.streams) this.output.add(stream, masking.end());
  }
}

/** At most `room` bytes of a text, no character cut. */
const cutBytes = (text: string, room: number): string => {
  const bytes = Buffer.from(text);
  let end = room;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
};

/** The next piece of a text, no surrogate pair cut. */
const cutCharacters = (text: string, from: number): string => {
  const end = from + PIECE_CHARACTERS;
  if (end >= text.length) return text.slice(from);
  const last = text.charCodeAt(end - 1);
  return text.slice(from, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
};
