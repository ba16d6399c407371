import { expect, test } from 'vitest';
import { describeContext } from './describe-context.js';

test('what fills the context is told by its parts, and the files that say how to work', () => {
  const tokens = { system: 1_200, instructions: 30, tools: 900, history: 12_345, total: 14_475 };
  const instructions = [
    { path: 'AGENTS.md', use: 'always', tokens: 20 },
    { path: 'a/AGENTS.md', use: 'by_file', tokens: 10, omitted: 'its end\x1b[31m' },
  ];
  const text = describeContext({ tokens, instructions });
  expect(text).toContain('conversation    12.3k\nin all          14.5k');
  expect(text).toContain('AGENTS.md  20\na/AGENTS.md  10 · with its files · its end');
  expect(text).not.toContain('\x1b');
});

test('a gateway that says nothing is no fault', () => {
  expect(describeContext(undefined)).toBe('Tokens of the next request, about:');
});
