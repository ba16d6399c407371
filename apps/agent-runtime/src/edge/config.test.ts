import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '@codelab/service-shell';
import { RuntimeConfig } from './config.js';

const problems = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(RuntimeConfig, environment);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
};

test('what is not set has a default', () => {
  const config = readConfig(RuntimeConfig, {});
  expect(config).toMatchObject({
    port: 8001,
    maxRounds: 50,
    turnTimeoutMs: 1_800_000,
    approvalTimeoutMs: 0,
    lingerMs: 10_000,
    taskMaxSteps: 40,
  });
  expect(readConfig(RuntimeConfig, { RUNTIME_TASK_MAX_COST_USD: '0.5' }).taskMaxCostUsd).toBe(0.5);
  expect(config.model).toBeUndefined();
});

test.each([
  [{ RUNTIME_PORT: '70000' }, 'RUNTIME_PORT is "70000": set it to a port from 0 (any free one) to 65535.'],
  [{ RUNTIME_MAX_ROUNDS: '0' }, 'RUNTIME_MAX_ROUNDS is "0": set it to a whole number from 1 to 10000.'],
  [{ RUNTIME_TASK_MAX_COST_USD: 'much' }, 'RUNTIME_TASK_MAX_COST_USD is "much": set it to a number from 0 to 100000.'],
  [
    { RUNTIME_TOOL_LIMITS: 'run_command=often' },
    'RUNTIME_TOOL_LIMITS is "run_command=often": set it to a list such as run_command=20/120000, WebFetch=5, task=/900000: uses, and milliseconds after the slash.',
  ],
  [{ CODELAB_SEARCH_PROVIDER: 'bing' }, 'CODELAB_SEARCH_PROVIDER is "bing": set it to one of searxng, brave, tavily, http.'],
  [{ RUNTIME_LINGER_MS: 'soon' }, 'RUNTIME_LINGER_MS is "soon": set it to a whole number of milliseconds from 0 to 600000.'],
])('%j is refused by a sentence that names the variable', (environment, sentence) => expect(problems(environment)).toEqual([sentence]));
