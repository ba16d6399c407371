import { expect, test } from '@jest/globals';
import type { Provider } from './provider.js';
import { defaultModel } from '@codelab/llm';
import { routeModel } from './route-model.js';

const provider = (name: string): Provider => ({
  name,
  stream: () => {
    throw new Error('not asked');
  },
});
const offline = provider('offline');
const openai = provider('openai');

test.each([
  ['offline', 'offline', 'offline'],
  ['offline-1', 'offline', 'offline-1'],
  ['Offline', 'offline', 'Offline'],
  ['offlinea', 'openai', 'offlinea'],
  ['gpt-5.4', 'openai', 'gpt-5.4'],
  ['openai/gpt-5.4', 'openai', 'gpt-5.4'],
  ['OpenAI/o3', 'openai', 'o3'],
  ['deepseek/deepseek-v4', 'openai', 'deepseek/deepseek-v4'],
  ['llama3:8b', 'openai', 'llama3:8b'],
  ['', 'openai', 'the-default'],
  ['  ', 'openai', 'the-default'],
])('%j goes to %s as %s', (name, expected, model) => {
  const route = routeModel(name, { offline, openai, defaultModel: 'the-default' });
  expect([route.provider.name, route.model]).toEqual([expected, model]);
});

test('without an upstream the built-in model still answers, and others say what to set', () => {
  const routes = { offline, defaultModel: 'offline' };
  expect(routeModel('', routes).provider).toBe(offline);
  expect(() => routeModel('gpt-5.4', routes)).toThrow(expect.objectContaining({ code: 'not_found', retryable: false }));
  expect(() => routeModel('gpt-5.4', routes)).toThrow(/"gpt-5.4".*OPENAI_API_KEY.*OPENAI_BASE_URL.*"offline"/);
});

test('the default model is the configured one, else what there is', () => {
  expect(defaultModel('m', false)).toBe('m');
  expect(defaultModel(undefined, false)).toBe('offline');
  expect(defaultModel(undefined, true)).toBe('gpt-5.4');
});
