import { expect, test } from 'vitest';
import { readConfig } from '@codelab/service-shell';
import { ProxyConfig } from './config.js';

const read = (environment: Record<string, string>) => readConfig(ProxyConfig, environment);

test.each([
  [{}, undefined],
  [{ OPENAI_API_KEY: '', OPENAI_BASE_URL: '' }, undefined],
  [{ OPENAI_API_KEY: 'k' }, { baseUrl: 'https://api.openai.com/v1', apiKey: 'k' }],
  [{ OPENAI_BASE_URL: 'http://localhost:11434/v1' }, { baseUrl: 'http://localhost:11434/v1' }],
  [
    { OPENAI_BASE_URL: 'http://my_ollama:11434/v1', OPENAI_API_KEY: 'k' },
    { baseUrl: 'http://my_ollama:11434/v1', apiKey: 'k' },
  ],
])('%j configures the upstream %j', (environment, upstream) => {
  expect(read(environment).openAi).toEqual(upstream);
});

test.each([
  [{ LLM_PROXY_PORT: 'x' }, 'LLM_PROXY_PORT is "x"'],
  [{ OPENAI_BASE_URL: 'api.openai.com' }, 'OPENAI_BASE_URL is not valid'],
  [{ OPENAI_BASE_URL: 'https://user:secret@host/v1' }, 'OPENAI_BASE_URL is not valid'],
  [{ OPENAI_API_KEY: 'secret with blanks' }, 'OPENAI_API_KEY is not valid'],
  [{ LLM_PROXY_IDLE_TIMEOUT_MS: '0' }, 'LLM_PROXY_IDLE_TIMEOUT_MS is "0"'],
])('%j is refused by name, without the secret', (environment, sentence) => {
  expect(() => read(environment)).toThrow(sentence);
  expect(() => read(environment)).not.toThrow('secret');
});
