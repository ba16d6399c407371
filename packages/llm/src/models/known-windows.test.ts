import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { knownWindow } from './known-windows.js';

test.each([
  ['gpt-5.4', 400_000],
  ['gpt-4o-mini-2024-07-18', 128_000],
  ['gpt-4.1-nano', 1_047_576],
  ['claude-sonnet-4-5', 200_000],
  ['openrouter/anthropic/claude-3.5-sonnet', 200_000],
  ['us.anthropic.claude-opus-4-1-20250805-v1:0', 200_000],
  ['Qwen/Qwen3-Coder-480B', 262_144],
  ['qwen2.5-coder:7b', 32_768],
  ['llama3:8b', 8_192],
  ['llama3.1:8b', 131_072],
  ['models/gemini-2.5-pro', 1_048_576],
])(verifies('R3:window-known', 'the window of %s is known by its family: the longest beginning counts'), (model, contextTokens) => {
  expect(knownWindow(model)?.contextTokens).toBe(contextTokens);
});

test('of a name of no family nothing is known', () => {
  for (const name of ['', 'scripted', 'my-gpt-4', '/']) expect(knownWindow(name)).toBeUndefined();
});
