import { expect, test } from 'vitest';
import type { Reservation, Reserved } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { tellRefusal } from './tell-refusal.js';

const NOW = Date.parse('2026-11-22T10:00:00.500Z');
const reservation: Reservation = {
  ...{ requestId: 'r', limits: { requests: 60, tokens: 20_000 }, inputTokens: 30_000, outputTokens: 10 },
  ...{ budget: { usd: 5, per: 'day' }, costUsd: 0.05 },
};
type Refused = Extract<Reserved, { kind: 'refused' }>;
const refused = { kind: 'refused' } as const;

test.each<[Refused, string, object]>([
  [
    { ...refused, limit: 'requests', used: 60, retryAfterMs: 11_400 },
    'Your key may make 60 requests a minute, and made 60. Try again in 12 s, at 2026-11-22T10:00:12Z.',
    { kind: 'rate_limited', retryAfterMs: 11_400 },
  ],
  [
    { ...refused, limit: 'tokens', used: 19_800, needed: 4_200, retryAfterMs: 500 },
    'Your key may use 20,000 tokens a minute: 19,800 are used or reserved, and this request may use 4,200. Try again in 1 s, at 2026-11-22T10:00:01Z.',
    { kind: 'rate_limited', retryAfterMs: 500 },
  ],
  [
    { ...refused, limit: 'tokens', used: 0, needed: 30_000 },
    'Your key may use 20,000 tokens a minute, and this request has about 30,000 of input: it will never fit. Make it smaller.',
    { kind: 'rate_limited' },
  ],
  [
    { ...refused, limit: 'budget', spentUsd: 4.98, heldUsd: 0, fitsLater: false, retryAfterMs: 50_399_500 },
    'Your key may spend $5.00 a day: $4.98 is spent, this request may cost $0.05. The budget begins again at 2026-11-23T00:00:00Z.',
    { kind: 'out_of_quota', retryAfterMs: 50_399_500 },
  ],
  [
    { ...refused, limit: 'budget', spentUsd: 0.0012, heldUsd: 4.98, fitsLater: true, retryAfterMs: 50_399_500 },
    'Your key may spend $5.00 a day: $0.0012 is spent, requests under way hold $4.98, this request may cost $0.05. Try again when others are over.',
    { kind: 'rate_limited', retryAfterMs: 2_000 },
  ],
])(verifies('G4:limit-words', 'a refusal says which limit, how much and until when: %j'), (verdict, message, rest) => {
  const error = tellRefusal(verdict, reservation, NOW);
  expect(error.message).toBe(message);
  expect(error).toMatchObject(rest);
  expect(error.retryAfterMs).toBe((rest as { retryAfterMs?: number }).retryAfterMs);
});

test('a budget for all times says no time, and a model without a price that it has none', () => {
  const verdict = { ...refused, limit: 'budget', spentUsd: 5, heldUsd: 0, fitsLater: false } as const;
  const { costUsd: _unknown, ...unpriced } = reservation;
  const error = tellRefusal(verdict, { ...unpriced, budget: { usd: 5, per: 'total' } }, NOW);
  expect(error.message).toBe('Your key may spend $5.00 in all: $5.00 is spent, this model has no price to reckon with.');
});
