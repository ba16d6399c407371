import { BusError } from '../../bus-error.js';
import type { Budget, Receipt, Reservation, Reserved } from '../../accounts/ledger.js';
import { fromNano, toNano } from './nano-dollars.js';

/** A reservation as the scripts keep it: `<cost> <slot> <tokens>`. */
export const reservationText = ({ costUsd, slot, tokens }: Receipt): string => [toNano(costUsd), slot, tokens].map(String).join(' ');

/** Milliseconds until a budget begins again; `undefined`: never. */
export function untilNextPeriod(per: Budget['per'], nowMs: number): number | undefined {
  if (per === 'total') return undefined;
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return Math.ceil((per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)) - nowMs);
}

/** Answer of `reserve-request`. */
export function toReserved(reply: readonly number[], { requestId, budget, costUsd }: Reservation, nowMs: number): Reserved {
  const [code, first = 0, second = 0, third = 0] = reply;
  if (code === 1) return { kind: 'reserved', receipt: { requestId, slot: first, tokens: second, costUsd: costUsd ?? 0 } };
  if (code === -1) return { kind: 'refused', limit: 'requests', used: first, retryAfterMs: second };
  if (code === -2) {
    const base = { kind: 'refused', limit: 'tokens', used: first, needed: third } as const;
    return second < 0 ? base : { ...base, retryAfterMs: second };
  }
  if (code !== -3 || budget === undefined) throw new BusError(`reserve-request answered ${String(code)}, which is not in its table`);
  const retryAfterMs = untilNextPeriod(budget.per, nowMs);
  return {
    ...{ kind: 'refused', limit: 'budget', spentUsd: fromNano(first), heldUsd: fromNano(second) },
    fitsLater: first + Math.max(1, toNano(costUsd ?? 0)) <= toNano(budget.usd),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
