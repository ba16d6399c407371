import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScriptedProvider, verifies, type ScriptedProvider } from '@codelab/testkit';
import { startProxy, type TestProxy } from '../__fixtures__/start-proxy.js';

const MODELS = { openai: 'gpt-default', anthropic: 'claude-default' } as const;
const MESSAGES = [{ role: 'user', content: 'hi' }];

let provider: ScriptedProvider;
const proxies = {} as Record<keyof typeof MODELS, TestProxy>;
beforeAll(async () => {
  provider = await startScriptedProvider({ script: () => ({ text: 'ok', usage: { prompt_tokens: 3, completion_tokens: 1 } }) });
  const upstreams = { openAiBaseUrl: provider.baseUrl, anthropicBaseUrl: provider.origin };
  proxies.openai = await startProxy({ ...upstreams, model: MODELS.openai });
  proxies.anthropic = await startProxy({ ...upstreams, model: MODELS.anthropic });
});
afterAll(async () => {
  await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
  await provider.close();
});

test.each([
  ['openai', '/v1/chat/completions', { messages: MESSAGES }],
  ['anthropic', '/v1/chat/completions', { messages: MESSAGES }],
  ['openai', '/v1/messages', { max_tokens: 9, messages: MESSAGES }],
  ['anthropic', '/v1/messages', { max_tokens: 9, messages: MESSAGES }],
  ['anthropic', '/v1/messages/count_tokens', { messages: MESSAGES }],
  ['openai', '/v1/responses', { input: 'hi' }],
] as const)(
  verifies('L3:routing-default', 'a request without a model goes out with the default one: before %s on %s'),
  async (vendor, path, body) => {
    for (const model of [{}, { model: null }, { model: '' }]) {
      const before = provider.requests.length;
      const answer = await proxies[vendor].ask(path, { ...model, ...body });
      expect([answer.status, provider.requests[before]?.body.model]).toEqual([200, MODELS[vendor]]);
    }
  },
);
