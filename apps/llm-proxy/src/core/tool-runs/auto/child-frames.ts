import type { FeedSubscription, SessionFeed, SessionMeta } from '@codelab/bus';
import { decodeServerFrame, type ServerFrame } from '@codelab/protocol';

/** What comes next of a child. `lost`: frames are gone for good. `stopped`: the signal fired first. */
export type NextFrame = ServerFrame | 'lost' | 'stopped';

/**
 * The frames of a child from its first one on, taken when somebody is ready for them. What waits here is bounded by the child's log.
 */
export class ChildFrames {
  private readonly waiting: (ServerFrame | 'lost')[] = [];
  private wake: (() => void) | undefined;
  private subscription: FeedSubscription | undefined;

  static async open(feed: Pick<SessionFeed, 'subscribe'>, child: SessionMeta): Promise<ChildFrames> {
    const frames = new ChildFrames();
    frames.subscription = await feed.subscribe(child.ref, { epoch: child.epoch, seq: 0 }, (event) => {
      if (event.kind === 'reset') frames.add('lost');
      if (event.kind === 'logged') for (const { text } of event.frames) frames.add(decodeServerFrame(text));
    });
    return frames;
  }

  async next(signal: AbortSignal): Promise<NextFrame> {
    for (;;) {
      if (signal.aborted) return 'stopped';
      const frame = this.waiting.shift();
      if (frame !== undefined) return frame;
      await this.news(signal);
    }
  }

  async close(): Promise<void> {
    await this.subscription?.close();
  }

  private add(frame: ServerFrame | 'lost' | undefined): void {
    if (frame === undefined) return; // of a newer release
    this.waiting.push(frame);
    this.wake?.();
  }

  private news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.wake = undefined;
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.wake = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
