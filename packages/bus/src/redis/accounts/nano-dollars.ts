const NANO = 1_000_000_000;
/** Lua counts in doubles: exact up to here, nine million dollars. */
const MOST = Number.MAX_SAFE_INTEGER;

/** Dollars as the ledger keeps them: whole nano-dollars, so that sums are exact. The cheapest token costs some. */
export const toNano = (usd: number): number => Math.min(MOST, Math.max(0, Math.round(usd * NANO)));

export const fromNano = (nano: number): number => nano / NANO;
