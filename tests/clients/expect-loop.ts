import { expect } from 'vitest';
import { callsOf, resultsOf } from './scripted-rounds.js';
import type { TestProxy } from './start-proxy.js';

/**
 * Expects that the upstream was asked once for each round of a tool loop, that it was given back each call that it had made, with its
 * arguments, and each result under the id of its call, in the order of the calls.
 */
export function expectLoop(proxy: TestProxy, model: string): void {
  const asked = proxy.asked(model);
  expect({ model, rounds: asked.map(resultsOf) }).toEqual({ model, rounds: [[], RESULTS.slice(0, 2), RESULTS] });
  const last = asked.at(-1)!;
  expect(callsOf(last)).toEqual(CALLS);
  expect(last.text).toContain('Use the tools.');
  expect(new Set(asked.map(({ path }) => path.split('?')[0]))).toEqual(
    new Set([model.startsWith('gpt-') ? '/v1/chat/completions' : '/v1/messages']),
  );
}

const RESULTS = [
  { id: 'call_add_1', text: '5' },
  { id: 'call_weather', text: 'sunny in 서울' },
  { id: 'call_add_2', text: '15' },
];

const CALLS = [
  { id: 'call_add_1', name: 'add', arguments: { a: 2, b: 3 } },
  { id: 'call_weather', name: 'weather', arguments: { city: '서울' } },
  { id: 'call_add_2', name: 'add', arguments: { a: 5, b: 10 } },
];
