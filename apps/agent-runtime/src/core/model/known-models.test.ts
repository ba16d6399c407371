import { expect, test } from 'vitest';
import type { ModelFact } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { KnownModels } from './known-models.js';

test(
  verifies('R3:window-known', 'a runtime knows what the proxies said last, by names where they said nothing, and looks again'),
  async () => {
    const timers: { delayMs: number; run: () => void }[] = [];
    let facts: readonly ModelFact[] | undefined;
    const read = async (): Promise<readonly ModelFact[]> => {
      if (facts === undefined) throw new Error('away');
      return facts;
    };
    const known = new KnownModels({ read }, { now: () => 0, after: (delayMs, run) => (timers.push({ delayMs, run }), () => undefined) });
    await known.start();
    expect([known.find('gpt-4o').contextWindow, known.find('mine').contextWindow]).toEqual([128_000, 128_000]);
    facts = [
      { name: 'mine', model: 'm', contextWindow: 16_000, vocabulary: 'agent' },
      { name: '', model: 'claude-sonnet-4-5' },
    ];
    timers[0]?.run();
    await new Promise(setImmediate);
    expect(known.find('mine')).toEqual({ name: 'mine', model: 'm', contextWindow: 16_000, vocabulary: 'agent' });
    expect(known.find('')).toMatchObject({ model: 'claude-sonnet-4-5', contextWindow: 200_000 });
    facts = [];
    await known.start();
    expect(known.find('mine').contextWindow).toBe(16_000);
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([2_000, 30_000, 30_000]);
  },
);
