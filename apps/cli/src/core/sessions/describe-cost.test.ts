import { expect, test } from 'vitest';
import { EMPTY_VIEW, type SessionView } from '@codelab/client/view';
import { describeCost } from './describe-cost.js';

const usage = { input_tokens: 4_700, output_tokens: 340, cost_usd: 0.0042 };
const end = { kind: 'turn_end', turnId: 't2', model: 'm', status: 'completed', usage, elapsedMs: 12_000 } as const;
const seen: SessionView = {
  ...EMPTY_VIEW,
  items: [{ ...end, turnId: 't1' }, end],
  usage: { input_tokens: 9_400, output_tokens: 680, cost_usd: 0.0084, context_tokens: 4_800, context_window: 200_000 },
};
const counted = { requests: 12, inputTokens: 182_000, cachedInputTokens: 140_000, outputTokens: 20_100, costUsd: 0.44 };

test('what llm-proxy has counted since a conversation began comes before what this window saw', () => {
  expect(describeCost(seen, counted).split('\n')).toEqual([
    'This conversation: 12 requests, 182k in (140k of it cached), 20.1k out, $0.44',
    'The last turn: 4.7k in, 340 out, $0.0042, 12.0 s',
    'Its last request: 4.8k tokens of a window of 200k',
  ]);
  expect(describeCost(seen, undefined)).toMatch(/^This conversation, since it was opened here: 2 turns, 9\.4k in, 680 out, \$0\.0084\n/);
});

test('no money is named where no price is known, and nothing where nothing was used', () => {
  const free = { ...end, usage: { input_tokens: 10, output_tokens: 1 } };
  const text = describeCost({ ...EMPTY_VIEW, items: [free], usage: free.usage }, undefined);
  expect(text).not.toContain('$');
  expect(text).toContain('No price is known');
  expect(describeCost(EMPTY_VIEW, undefined)).toBe('Nothing has been used here yet.');
});
