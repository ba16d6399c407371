import type { Budget, Reservation, Reserved } from '@codelab/bus';
import { ApiError } from '@codelab/llm';

type Refused = Extract<Reserved, { kind: 'refused' }>;

/** When requests in flight hold what is left of a budget, some of them will be over by then. */
const HELD_RETRY_MS = 2_000;

const PERIOD: Readonly<Record<Budget['per'], string>> = { day: ' a day', month: ' a month', total: ' in all' };

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
/** Cents, or as many digits as a small amount needs. */
const dollars = (usd: number): string => `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}`;
const seconds = (ms: number): string => `${String(Math.max(1, Math.ceil(ms / 1_000)))} s`;
const moment = (ms: number): string => new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().replace('.000', '');

const again = (retryAfterMs: number, nowMs: number): string => `Try again in ${seconds(retryAfterMs)}, at ${moment(nowMs + retryAfterMs)}.`;

/** What a caller is told of a request that is over a limit: which one, how much, until when. */
export function tellRefusal(refused: Refused, { limits, budget, costUsd, inputTokens }: Reservation, nowMs: number): ApiError {
  switch (refused.limit) {
    case 'requests': {
      const { used, retryAfterMs } = refused;
      const words = `Your key may make ${count(limits.requests ?? 0)} requests a minute, and made ${count(used)}.`;
      return new ApiError('rate_limited', `${words} ${again(retryAfterMs, nowMs)}`, { retryAfterMs });
    }
    case 'tokens': {
      const { used, needed, retryAfterMs } = refused;
      const words = `Your key may use ${count(limits.tokens ?? 0)} tokens a minute`;
      if (retryAfterMs === undefined) {
        const tooLarge = `${words}, and this request has about ${count(inputTokens)} of input: it will never fit. Make it smaller.`;
        return new ApiError('rate_limited', tooLarge);
      }
      const why = `${count(used)} are used or reserved, and this request may use ${count(needed)}.`;
      return new ApiError('rate_limited', `${words}: ${why} ${again(retryAfterMs, nowMs)}`, { retryAfterMs });
    }
    case 'budget': {
      const { spentUsd, heldUsd, fitsLater, retryAfterMs } = refused;
      const words = [
        `Your key may spend ${dollars(budget?.usd ?? 0)}${PERIOD[budget?.per ?? 'total']}: ${dollars(spentUsd)} is spent`,
        ...(heldUsd > 0 ? [`requests under way hold ${dollars(heldUsd)}`] : []),
        costUsd === undefined ? 'this model has no price to reckon with' : `this request may cost ${dollars(costUsd)}`,
      ].join(', ');
      if (fitsLater) {
        return new ApiError('rate_limited', `${words}. Try again when others are over.`, { retryAfterMs: HELD_RETRY_MS });
      }
      if (retryAfterMs === undefined) return new ApiError('out_of_quota', `${words}.`);
      return new ApiError('out_of_quota', `${words}. The budget begins again at ${moment(nowMs + retryAfterMs)}.`, { retryAfterMs });
    }
  }
}
