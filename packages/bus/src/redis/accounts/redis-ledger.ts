import type { Ledger, Receipt, Reservation, Reserved, Settlement, UsageCounts, UsageRow } from '../../accounts/ledger.js';
import type { Owner } from '../../session-ref.js';
import type { BusLogger } from '../connection/bus-logger.js';
import type { Keys } from '../keys/keys.js';
import { reservationText, toReserved } from './ledger-results.js';
import { RATE_WINDOW_MS, RESERVATION_MS, USAGE_FLUSH_MS, USAGE_TTL_MS } from '../limits.js';
import { OwnerBatches, type Batch } from './owner-batches.js';
import { toNano } from './nano-dollars.js';
import type { Command, RedisCommands } from '../connection/redis-commands.js';
import { ReservationKeeper } from './reservation-keeper.js';
import { addUsage, daysOf, decodeUsage, toDay, usageArguments, usageRowName } from './usage-rows.js';

/** Settlements of one script call: a piece of work that keeps Redis for less than a millisecond. */
const MAX_SETTLEMENTS = 100;

export interface RedisLedgerParts {
  readonly commands: RedisCommands;
  readonly keys: Keys;
  readonly logger: BusLogger;
}

/** Times in milliseconds; those of `limits.ts` unless a test cannot wait. */
export interface LedgerTimes {
  readonly windowMs: number;
  readonly reservationMs: number;
  readonly flushMs: number;
}

const TIMES: LedgerTimes = { windowMs: RATE_WINDOW_MS, reservationMs: RESERVATION_MS, flushMs: USAGE_FLUSH_MS };

/** A settlement as it waits to be stored. */
interface Dated {
  /** `YYYYMMDD`. */
  readonly day: string;
  readonly receipt?: Receipt;
  /** The name of its row; `''`: nothing was used. */
  readonly row: string;
  readonly counts?: UsageCounts;
}

/** The ledger, in Redis. */
export class RedisLedger implements Ledger {
  private readonly times: LedgerTimes;
  private readonly settlements: OwnerBatches<Dated>;
  private readonly keeper: ReservationKeeper;

  constructor(
    private readonly parts: RedisLedgerParts,
    times: Partial<LedgerTimes> = {},
  ) {
    this.times = { ...TIMES, ...times };
    this.keeper = new ReservationKeeper(parts, this.times.reservationMs);
    this.settlements = new OwnerBatches<Dated>({
      ...{ commands: parts.commands, logger: parts.logger, operation: 'settle-usage' },
      ...{ everyMs: this.times.flushMs, maxItems: MAX_SETTLEMENTS, toCommand: (batch) => this.toCommand(batch) },
      groupOf: ({ day }) => day,
      keyOf: ({ day, receipt, row }) => (receipt === undefined ? day + row : undefined),
      merge: ({ day, row, counts }, other) => ({ day, row, ...(counts && other.counts && { counts: addUsage(counts, other.counts) }) }),
    });
  }

  async reserve(owner: Owner, reservation: Reservation): Promise<Reserved> {
    const { commands, keys } = this.parts;
    const { requestId, limits, budget, inputTokens, outputTokens, costUsd } = reservation;
    const ledger = keys.ledger(owner);
    const nowMs = commands.score();
    const [reply] = await commands.run('reserve-request', [
      [
        ...(['reserveRequest', ledger.rates, ledger.spent, ledger.reserved, ledger.reservationEnds] as const),
        ...[requestId, this.times.windowMs, limits.requests ?? -1, limits.tokens ?? -1, Math.ceil(inputTokens), Math.ceil(outputTokens)],
        ...[budget === undefined ? -1 : toNano(budget.usd), budget?.per ?? 'total', toDay(nowMs)],
        ...[costUsd === undefined ? -1 : toNano(costUsd), this.times.reservationMs],
      ],
    ]);
    const verdict = toReserved(reply as readonly number[], reservation, nowMs);
    if (verdict.kind === 'reserved') this.keeper.keep(owner, verdict.receipt);
    return verdict;
  }

  settle(owner: Owner, settlement: Settlement): void {
    const { receipt, used } = settlement;
    if (receipt !== undefined) this.keeper.release(receipt);
    if (receipt === undefined && used === undefined) return;
    const day = toDay(this.parts.commands.score());
    const row = used === undefined ? '' : usageRowName(used);
    this.settlements.add(owner, { day, row, ...(used && { counts: used }), ...(receipt && { receipt }) }, receipt !== undefined);
  }

  async readUsage(owner: Owner, { from, to }: { readonly from: string; readonly to: string }): Promise<readonly UsageRow[]> {
    await this.flush();
    const { commands, keys } = this.parts;
    const days = daysOf(from, to);
    const replies = await commands.run(
      'read-usage',
      days.map((day) => ['hgetall', keys.ledger(owner).usage(day.replaceAll('-', ''))]),
    );
    return replies.flatMap((reply, index) => decodeUsage(days[index] ?? '', reply));
  }

  flush(): Promise<void> {
    return this.settlements.flush();
  }

  async close(): Promise<void> {
    this.keeper.close();
    await this.settlements.close();
  }

  private toCommand({ owner, writer, number, items }: Batch<Dated>): Command {
    const { rates, spent, reserved, reservationEnds, writers, usage } = this.parts.keys.ledger(owner);
    const day = items[0]?.day ?? '';
    return [
      ...(['settleUsage', writers, rates, spent, reserved, reservationEnds, usage(day)] as const),
      ...[writer, number, day, this.times.windowMs, USAGE_TTL_MS],
      ...items.flatMap(({ receipt, row, counts }) => [
        ...[receipt?.requestId ?? '', receipt === undefined ? '' : reservationText(receipt), row],
        ...usageArguments(counts),
      ]),
    ];
  }
}
