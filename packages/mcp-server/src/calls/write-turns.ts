import { claimFile } from '@codelab/client';
import type { Clock } from '@codelab/clock';
import { Mutex } from 'async-mutex';

/** How long a process waits before it looks again whether another one has ended its write. */
const LOOK_MS = 20;
const LOOK_SPREAD_MS = 30;

/**
 * One write at a time in a workspace, among all processes that serve it: each takes the claim for the length of one call. A process that was
 * killed holds nobody up.
 */
export class WriteTurns {
  private readonly here = new Mutex();

  /** @param file beside which the claim lies, in the data directory of the workspace */
  constructor(
    private readonly file: string,
    private readonly clock: Clock,
  ) {}

  /** Runs `write` when it is its turn. Throws the reason of the signal if it is given up before. */
  run<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
    return this.here.runExclusive(async () => {
      for (;;) {
        signal.throwIfAborted();
        const claimed = await claimFile(this.file);
        if (claimed.kind === 'held') {
          try {
            return await write();
          } finally {
            await claimed.release();
          }
        }
        await this.pause(signal);
      }
    });
  }

  private pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        callOff();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const callOff = this.clock.after(LOOK_MS + Math.random() * LOOK_SPREAD_MS, end);
      signal.addEventListener('abort', end);
    });
  }
}
