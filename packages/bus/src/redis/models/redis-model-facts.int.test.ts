import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { useBus } from '../../../test/bus-fixture.js';
import { findModelFact, MODEL_FACTS_TTL_MS, type ModelFact } from '../../model-facts.js';
import { createKeys } from '../keys/keys.js';

const fixture = useBus({ cluster: true });
const FACTS: readonly ModelFact[] = [
  { name: '', model: 'gpt-5.4', contextWindow: 400_000 },
  { name: 'fast', model: 'gpt-5-mini', contextWindow: 400_000, maxOutputTokens: 128_000, displayName: 'Fast' },
  { name: 'gpt-5*', contextWindow: 300_000 },
  { name: 'gpt-5-local*', contextWindow: 32_000, vocabulary: 'agent' },
];

test(
  verifies('R3:window-known', 'what a proxy publishes of the models every runtime reads, until nobody has published for two minutes'),
  async () => {
    const { modelFacts } = fixture.bus;
    expect(await modelFacts.read()).toEqual([]);
    await modelFacts.publish([{ name: 'old' }]);
    await modelFacts.publish(FACTS);
    expect(await (await fixture.another()).modelFacts.read()).toEqual(FACTS);
    const left = await fixture.redis.client.pttl(createKeys().modelFacts);
    expect(left).toBeGreaterThan(MODEL_FACTS_TTL_MS - 10_000);
  },
);

test('a fact is found by the whole name, by the longest beginning, or behind the vendor', () => {
  const found = (name: string) => findModelFact(FACTS, name)?.name;
  expect(['', 'fast', 'gpt-5.9', 'gpt-5-local-q4', 'openrouter/fast', 'other'].map(found)).toEqual([
    ...['', 'fast', 'gpt-5*', 'gpt-5-local*', 'fast'],
    undefined,
  ]);
});
