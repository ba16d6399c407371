import { expect, test } from 'vitest';
import { Registry } from 'prom-client';
import { ProxyMetrics } from './metrics.js';

test('the names of models cannot fill the registry', async () => {
  const registry = new Registry();
  const metrics = new ProxyMetrics(registry);
  for (let i = 0; i < 150; i++) {
    metrics.begun();
    metrics.ended({ provider: 'openai', model: `m${i}`, outcome: 'answered', durationMs: 1 });
  }
  const lines = (await registry.metrics()).split('\n');
  const requests = lines.filter((line) => line.startsWith('codelab_llm_proxy_requests_total{'));
  expect(requests).toHaveLength(101);
  expect(requests.at(-1)).toBe('codelab_llm_proxy_requests_total{provider="openai",model="other",outcome="answered"} 50');
  expect(lines).toContain('codelab_llm_proxy_running_requests 0');
});

test('tokens, cost and times are counted, also where the queue failed', async () => {
  const registry = new Registry();
  const metrics = new ProxyMetrics(registry);
  metrics.begun();
  metrics.begun();
  metrics.ended(undefined);
  metrics.ended({
    provider: 'p',
    model: 'm',
    outcome: 'answered',
    durationMs: 2_000,
    firstTokenMs: 500,
    usage: { inputTokens: 10, outputTokens: 3, cachedInputTokens: 4, costUsd: 0.5 },
  });
  metrics.retried('overloaded');
  const text = await registry.metrics();
  for (const line of [
    'codelab_llm_proxy_tokens_total{model="m",direction="input"} 10',
    'codelab_llm_proxy_tokens_total{model="m",direction="cached_input"} 4',
    'codelab_llm_proxy_tokens_total{model="m",direction="output"} 3',
    'codelab_llm_proxy_cost_usd_total{model="m"} 0.5',
    'codelab_llm_proxy_first_token_seconds_sum{provider="p",model="m"} 0.5',
    'codelab_llm_proxy_request_seconds_sum{provider="p",model="m"} 2',
    'codelab_llm_proxy_retries_total{code="overloaded"} 1',
    'codelab_llm_proxy_running_requests 0',
  ]) {
    expect(text).toContain(line);
  }
});
