import type { SessionMeta, SessionStream, SessionStreams } from '@codelab/bus';
import { decodeServerFrame, type ServerFrame } from '@codelab/protocol';

/** What comes next of a child. `lost`: frames are gone for good. `stopped`: the signal fired first. */
export type NextFrame = ServerFrame | 'lost' | 'stopped';

/** The frames of a child from its first one on, taken when somebody is ready for them. */
export class ChildFrames {
  private readonly taken: ServerFrame[] = [];

  private constructor(private readonly stream: SessionStream) {}

  static async open(streams: Pick<SessionStreams, 'open'>, child: SessionMeta): Promise<ChildFrames> {
    return new ChildFrames(await streams.open(child.ref, { epoch: child.epoch, seq: 0 }));
  }

  async next(signal: AbortSignal): Promise<NextFrame> {
    const wake = (): void => this.stream.wake();
    signal.addEventListener('abort', wake, { once: true });
    try {
      while (!signal.aborted) {
        const frame = this.taken.shift();
        if (frame !== undefined) return frame;
        const event = await this.stream.next();
        if (event.kind === 'reset' || event.kind === 'closed') return 'lost';
        const frames = event.kind === 'logged' ? event.frames.map(({ text }) => decodeServerFrame(text)) : [];
        this.taken.push(...frames.filter((one) => one !== undefined)); // the others are of a newer release
      }
      return 'stopped';
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }

  close(): void {
    this.stream.close();
  }
}
