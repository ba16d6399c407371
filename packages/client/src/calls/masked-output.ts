import type { ClientFrameOf } from '@codelab/protocol';
import { SecretStream } from '@codelab/tools';
import type { OutputLog } from './output-log.js';

type Stream = ClientFrameOf<'tool_output'>['stream'];

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
