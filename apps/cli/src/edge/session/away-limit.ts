import type { ConnectionState } from '@codelab/client';
import { CommandError } from '../../core/command-error.js';

/** How long a gateway may be away before a program that nobody watches gives up. */
export const MAX_AWAY_MS = 60_000;

/** Ends the wait for a gateway that doesn't come back: `over` rejects, with a sentence, when it was away too long or sent us away for good. */
export class AwayLimit {
  readonly over: Promise<never>;
  private giveUp: (error: CommandError) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly maxAwayMs = MAX_AWAY_MS) {
    this.over = new Promise<never>((_, reject) => (this.giveUp = reject));
    this.over.catch(() => undefined); // who doesn't wait any more needn't hear it
  }

  follow(state: ConnectionState): void {
    if (state.kind === 'closed' && state.reason.kind !== 'closed') return this.giveUp(new CommandError(state.reason.message));
    if (state.kind === 'live' || state.kind === 'closed') return this.stop();
    const seconds = Math.round(this.maxAwayMs / 1_000);
    const why = `The gateway was away for ${seconds} s: what was asked last has no answer. codelab chat --continue goes on with it.`;
    this.timer ??= setTimeout(() => this.giveUp(new CommandError(why)), this.maxAwayMs);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
