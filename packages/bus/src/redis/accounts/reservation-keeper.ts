import type { Receipt } from '../../accounts/ledger.js';
import type { Owner } from '../../session-ref.js';
import type { Keys } from '../keys/keys.js';
import { reservationText } from './ledger-results.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';

/**
 * Keeps the reservations of this process alive while their requests go on. When the process dies they end by themselves, and what they held
 * is free again.
 */
export class ReservationKeeper {
  private readonly held = new Map<Receipt, Owner>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly parts: { readonly commands: RedisCommands; readonly keys: Keys },
    private readonly reservationMs: number,
  ) {}

  keep(owner: Owner, receipt: Receipt): void {
    this.held.set(receipt, owner);
    this.timer ??= setInterval(() => void this.renew().catch(() => undefined), this.reservationMs / 3).unref(); // away: the next one comes
  }

  release(receipt: Receipt): void {
    this.held.delete(receipt);
    if (this.held.size === 0) this.close();
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** One round trip for all. */
  private async renew(): Promise<void> {
    const { commands, keys } = this.parts;
    if (commands.status() === 'away') return;
    await commands.runEach(
      'renew-reservations',
      [...this.held].map(([receipt, owner]): Command => {
        const { reserved, reservationEnds } = keys.ledger(owner);
        return ['renewReservations', reserved, reservationEnds, this.reservationMs, receipt.requestId, reservationText(receipt)];
      }),
    );
  }
}
